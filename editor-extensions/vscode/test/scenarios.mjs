// What a scholar does in VS Code, step by step. Files on disk are judged by the Python test that plays these.
import assert from "node:assert/strict";

/** The server is not installed: one message says so, with the cause and three ways out. */
async function serverMissing(code) {
  await code.openFile("decree.xml");
  const toast = await code.see('.notification-toast:has-text("language server")');
  const text = await toast.innerText();
  assert.match(text, /no program “no-such-server”/);
  for (const choice of ["Install", "Select Interpreter", "Show Log"]) {
    await code.see(`.notification-toast a:has-text("${choice}"), .notification-toast .monaco-button:has-text("${choice}")`);
  }
  assert.equal(await code.find(".notification-toast").count(), 1);
  await code.screenshot("server-missing");
}

export const scenarios = { serverMissing };
