// What a scholar does in VS Code, step by step. Files on disk are judged by the Python test that plays these.
import assert from "node:assert/strict";

const FIRST_GAP = "ἄρχ<gap";
const SECOND_GAP = "τῶι <gap";
const LENS = "Restore (5 letters)";

/** Opens the decree and puts the cursor inside the gap after some text. */
async function cursorIn(code, before) {
  await code.openFile("decree.xml");
  await code.showLacunaeView();
  await code.see('.pane-body .monaco-list-row:has-text("line 6 · 5 letters")');
  await (await code.see(".editor-instance .view-lines")).click();
  const { line, column } = await code.place("decree.xml", before);
  await code.goTo(line, column + before.length);
  await code.lens(LENS);
}

/** The server is not installed: one message says so, with the cause and three ways out. */
async function serverMissing(code) {
  await code.openFile("decree.xml");
  const toast = await code.see('.notification-toast:has-text("language server")');
  const text = await toast.innerText();
  assert.match(text, /no program “no-such-server”/);
  for (const choice of ["Install", "Select Interpreter", "Show Log"]) {
    await code.see(`.notification-toast .monaco-button:has-text("${choice}")`);
  }
  assert.equal(await code.find(".notification-toast").count(), 1);
  await code.see('.statusbar-item[aria-label*="not found"]');
  await code.screenshot("server-missing");
}

/** A lens above the line, completions in the gap, Enter writes the best one. */
async function completion(code) {
  await cursorIn(code, SECOND_GAP);
  const found = await code.suggestions("δήμωι");
  assert.ok(found[0].includes("δήμωι") && found[0].includes("%"), found[0]);
  await code.pressUntilSeen("Control+Space", code.find('.suggest-details:has-text("[δήμωι]")'));
  await code.screenshot("completion");
  await code.pressUntilGone("Enter", ".suggest-widget.visible");
  await code.see('.pane-body .monaco-list-row:has-text("[δήμωι]")');
  await code.save();
  await code.assertNoErrors();
}

/** The pointer rests on a gap: the best hypotheses; on a supplied: a second opinion. */
async function hover(code) {
  await cursorIn(code, SECOND_GAP);
  const gap = await code.hoverAt("quantity");
  assert.match(gap, /δήμωι/);
  assert.match(gap, /70 %/);
  await code.screenshotHere("hover");
  await code.assertNoErrors();
}

/** The lens opens the panel: hypotheses with bars, heat map; another choice, then accept. */
async function panel(code) {
  await cursorIn(code, SECOND_GAP);
  const page = await code.openPanel(LENS, 1);
  await page.locator(".hypothesis").first().waitFor();
  const rows = await page.locator(".hypothesis").allInnerTexts();
  assert.match(rows[0], /δήμωι/);
  assert.ok((await page.locator(".heat .cell").count()) > 100);
  const heated = await page.locator(".heat .cell").evaluateAll(
    (cells) => new Set(cells.map((cell) => getComputedStyle(cell).backgroundColor)).size,
  );
  assert.ok(heated > 10, `${heated} shades`);
  await code.see('.statusbar-item:has-text("Pythia")');
  await code.screenshot("panel");
  await page.locator('.hypothesis:has-text("πόλις")').click();
  await page.locator('.proposal:has-text("πόλις")').waitFor();
  await page.locator('.hypothesis[aria-selected="true"] .accept').click();
  await code.see('.pane-body .monaco-list-row:has-text("[πόλις]")');
  await (await code.see('.tab:has-text("decree.xml")')).click();
  await code.save();
  await code.assertNoErrors();
}

/** A parallel in the panel: how often it is attested, and a click opens its file at its line. */
async function parallels(code) {
  await cursorIn(code, SECOND_GAP);
  const page = await code.openPanel(LENS, 1);
  const link = page.locator('.parallels .link:has-text("other, line 7")');
  await link.waitFor();
  assert.match(await page.locator(".hypothesis").first().innerText(), /δήμωι[^]*1×/);
  await link.click();
  // The status bar tells the line of the editor that has the focus, which the panel may have taken back.
  await (await code.see('.tab.active:has-text("other.xml")')).click();
  await code.see('.statusbar-item:has-text("Ln 5,")');
  assert.ok(await link.isVisible(), "the panel stays beside the file");
  await code.assertNoErrors();
}

/** A panel that was hidden behind a file shows the restoration again when it comes back. */
async function hiddenPanel(code) {
  await cursorIn(code, SECOND_GAP);
  const page = await code.openPanel(LENS, 1);
  const best = page.locator('.hypothesis:has-text("δήμωι")');
  await best.waitFor();
  await (await code.see('.tab:has-text("Restoration")')).click();
  await code.openFile("verse.xml");
  await best.waitFor({ state: "hidden" });
  await (await code.see('.tab:has-text("Restoration")')).click();
  await best.waitFor();
  await code.assertNoErrors();
}

/** A server that was missing is found when the setting that names it is mended; two settings change at once. */
async function serverFoundLater(code) {
  await code.openFile("decree.xml");
  await code.see('.statusbar-item[aria-label*="not found"]');
  await code.useSettings("mended.json");
  await code.see('.badge[aria-label*="3 open lacunae"]');
  await code.see('.statusbar-item[aria-label*="idle"]');
}

/** The same with the model that is shipped: whatever it thinks, it says how sure it is. */
async function shippedModel(code) {
  await cursorIn(code, FIRST_GAP);
  const page = await code.openPanel(LENS);
  await page.locator(".hypothesis").first().waitFor();
  const rows = await page.locator(".hypothesis").allInnerTexts();
  assert.ok(rows.length > 1 && rows.every((row) => row.includes("%")), rows.join("\n"));
  assert.ok((await page.locator(".heat .cell").count()) > 100);
  await code.screenshot("shipped-model");
  await code.assertNoErrors();
}

/** The view lists the lacunae of the document; a click goes there. */
async function tree(code) {
  await code.openFile("decree.xml");
  await code.showLacunaeView();
  const row = await code.see('.pane-body .monaco-list-row:has-text("line 6 · 5 letters")');
  await row.click();
  await code.lens(LENS);
  await code.see('.statusbar-item:has-text("Ln 73")');
  await code.screenshot("lacunae");
  await row.hover();
  await row.locator('a[aria-label^="Show Restoration"]').click();
  await code.panel().locator('.hypothesis:has-text("δήμωι")').waitFor();
  await code.assertNoErrors();
}

/** Ctrl+. in a gap names the hypotheses; one of them inserts alternatives. */
async function actions(code) {
  await cursorIn(code, SECOND_GAP);
  await code.codeActions("Accept “δήμωι” (70 %)");
  await code.screenshot("actions");
  await (await code.see('.action-widget .monaco-list-row:has-text("Insert alternatives")')).click();
  await code.lens("Accept “δήμωι”");
  await code.screenshot("pending");
  await code.save();
  await code.assertNoErrors();
}

/** Restoring a document shows progress, and Cancel leaves the text as it was. */
async function cancel(code) {
  await cursorIn(code, SECOND_GAP);
  await code.command("Pythia: Restore This Document");
  await code.see('.statusbar-item[aria-label*="busy"]');
  await code.command("Notifications: Show Notifications");
  const shown = await code.see('.notifications-center .notification-list-item:has-text("Restoring 3 lacunae")');
  await code.screenshot("progress");
  await shown.locator('.monaco-button:has-text("Cancel")').click();
  await code.see('.notification-list-item:has-text("nothing was changed")');
  await code.see(".tab.active:not(.dirty)");
}

/** A whole document: alternatives for every gap; then removed again. */
async function restoreAndStrip(code) {
  await cursorIn(code, SECOND_GAP);
  await code.command("Pythia: Restore This Document");
  await code.lens("Accept “δήμωι”");
  await code.save();
  await code.command("Pythia: Remove Machine Suggestions");
  await code.lens(LENS);
  await code.save();
  await code.assertNoErrors();
}

/** Other XML is left alone: no lens, no completion, no place in the view. */
async function otherXml(code) {
  await code.openFile("decree.xml");
  await code.showLacunaeView();
  await code.see('.pane-body .monaco-list-row:has-text("decree.xml")');
  await code.openFile("build.xml");
  await code.see('.view-line:has-text("gap")');
  await code.goTo(2, 10);
  const found = await code.suggestions("reasonable");
  assert.ok(!found.some((suggestion) => suggestion.includes("%")), found.join(", "));
  await code.press("Escape");
  assert.equal(await code.find(".codelens-decoration").count(), 0);
  assert.equal(await code.find('.pane-body .monaco-list-row:has-text("build.xml")').count(), 0);
  await code.assertNoErrors();
}

/** With the settings for living beside another XML extension only what was left on shows. */
async function coexistence(code) {
  await code.openFile("decree.xml");
  const { line, column } = await code.place("decree.xml", SECOND_GAP);
  await code.goTo(line, column + SECOND_GAP.length);
  await code.showLacunaeView();
  await code.see('.pane-body .monaco-list-row:has-text("line 6 · 5 letters")');
  assert.equal(await code.find(".codelens-decoration").count(), 0);
  await code.goTo(line, column);
  await code.pressUntilSeen("<", code.find(".tab.active.dirty"));
  assert.equal(await code.find('.suggest-widget.visible .monaco-list-row:has-text("%")').count(), 0);
  await code.press("Control+KeyZ");
  await code.assertNoErrors();
}

export const scenarios = {
  serverMissing,
  serverFoundLater,
  completion,
  hover,
  panel,
  shippedModel,
  parallels,
  hiddenPanel,
  tree,
  actions,
  cancel,
  restoreAndStrip,
  otherXml,
  coexistence,
};
