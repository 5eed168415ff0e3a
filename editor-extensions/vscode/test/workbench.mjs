// A VS Code workbench in Chromium, and the few gestures the scenarios are made of.
// Everything waits for an element or a condition, never for time.
import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const SUGGESTION = ".suggest-widget.visible .monaco-list-row";
const QUICK_INPUT = ".quick-input-widget input";
const SLOW = 120_000;

export class Workbench {
  static async open({ url, chromiumPath, folder, screenshots }) {
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
    const page = await browser.newPage({ viewport: { width: 1400, height: 820 }, deviceScaleFactor: 1.5 });
    page.setDefaultTimeout(SLOW);
    await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`);
    await page.waitForSelector(".monaco-workbench");
    await page.waitForSelector(".explorer-folders-view .monaco-list-row");
    return new Workbench(browser, page, folder, screenshots);
  }

  constructor(browser, page, folder, screenshots) {
    Object.assign(this, { browser, page, folder, screenshots });
  }

  async close() {
    await this.browser.close();
  }

  find(selector) {
    return this.page.locator(selector);
  }

  async see(selector) {
    const found = this.find(selector).first();
    await found.waitFor({ state: "visible" });
    return found;
  }

  async gone(selector) {
    await this.find(selector).first().waitFor({ state: "hidden" });
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  async openFile(name) {
    await this.pressUntilSeen("Control+KeyP", this.find(QUICK_INPUT));
    await this.page.keyboard.type(name);
    await (await this.see(`.quick-input-list .monaco-list-row:has-text("${name}")`)).click();
    await this.see(`.tab.active:has-text("${name}")`);
    await this.see(".editor-instance .view-line");
  }

  async command(title) {
    await this.pressUntilSeen("F1", this.find(QUICK_INPUT));
    await this.page.keyboard.type(title);
    await (await this.see(`.quick-input-list .monaco-list-row:has-text("${title}")`)).click();
  }

  async goTo(line, column) {
    await this.pressUntilSeen("Control+KeyG", this.find(QUICK_INPUT));
    await this.page.keyboard.type(`${line}:${column}`);
    await this.pressUntilGone("Enter", ".quick-input-widget");
  }

  /** Line and column, from 1, where a text stands in a file on disk. */
  async place(name, text) {
    const content = await this.onDisk(name);
    const offset = content.indexOf(text);
    assert.ok(offset >= 0, `${name} does not hold ${text}`);
    const before = content.slice(0, offset).split("\n");
    return { line: before.length, column: before.at(-1).length + 1 };
  }

  /** The lens with this text that stands n-th in the part of the document that is shown, from 0. */
  async lens(text, n = 0) {
    const found = this.find(`.codelens-decoration:has-text("${text}")`).nth(n);
    await found.waitFor({ state: "visible" });
    return found;
  }

  /** What is suggested at the cursor, as soon as a suggestion holds this text. */
  async suggestions(containing) {
    await this.pressUntilSeen("Control+Space", this.find(`${SUGGESTION}:has-text("${containing}")`));
    return this.find(SUGGESTION).allInnerTexts();
  }

  /** Presses a key until something shows. */
  async pressUntilSeen(key, wanted) {
    await this.doUntil(() => this.press(key), wanted, "visible");
  }

  /** Presses a key until what it is meant for is gone, and no more: it would land in the text. */
  async pressUntilGone(key, selector) {
    await this.doUntil(() => this.press(key), this.find(selector), "hidden");
  }

  /** Makes a gesture until it has shown effect: on a busy machine VS Code drops one while it redraws. */
  async doUntil(gesture, wanted, state) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await gesture();
      try {
        await wanted.first().waitFor({ state, timeout: 15_000 });
        return;
      } catch (error) {
        if (attempt === 4) {
          throw error;
        }
      }
    }
  }

  /** Opens the menu of code actions; VS Code drops the question when diagnostics arrive, so it may be asked again. */
  async codeActions(containing) {
    const row = this.find(`.action-widget .monaco-list-row:has-text("${containing}")`).first();
    const none = this.find(".monaco-editor-overlaymessage:not(.fadeOut)").first();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await this.pressUntilSeen("Control+Period", row.or(none));
      if (await row.isVisible()) {
        return;
      }
      await this.press("Escape");
      await none.waitFor({ state: "hidden" });
    }
    assert.fail(`no code action ${containing}`);
  }

  async hoverAt(text) {
    const word = this.find(`.view-line span span:has-text("${text}")`).last();
    const hover = this.find(".monaco-hover:not(.hidden) .hover-contents:has(table)");
    const pointAt = async () => {
      await this.page.mouse.move(200, 600);
      await word.hover();
    };
    await this.doUntil(pointAt, hover, "visible");
    return hover.first().innerText();
  }

  /** Saves the changed file whose tab is active. */
  async save(name = "decree.xml") {
    const tab = `.tab.active:has-text("${name}")`;
    await this.see(`${tab}.dirty`);
    await this.pressUntilSeen("Control+KeyS", this.find(`${tab}:not(.dirty)`));
  }

  /** Puts other settings of the folder in place of those that are in force. */
  async useSettings(name) {
    await copyFile(join(this.folder, name), join(this.folder, ".vscode", "settings.json"));
  }

  async onDisk(name) {
    return readFile(join(this.folder, name), "utf-8");
  }

  /** The frame inside the Restoration panel's two nested webview frames. */
  panel() {
    return this.page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
  }

  async showLacunaeView() {
    const icon = await this.see('.activitybar .action-item:has(a[aria-label^="Pythia EpiDoc"])');
    await this.doUntil(() => icon.click(), this.find('.sidebar .title-label:has-text("Lacunae")'), "visible");
  }

  /** Clicks the n-th lens with this text and gives the Restoration panel that it opens. */
  async openPanel(text, n = 0) {
    const clickLens = async () => (await this.lens(text, n)).click();
    await this.doUntil(clickLens, this.find('.tab:has-text("Restoration")'), "visible");
    return this.panel();
  }

  async screenshot(name) {
    await this.page.mouse.move(200, 600);
    await this.page.screenshot({ path: join(this.screenshots, `vscode-${name}.png`) });
  }

  /** Like screenshot, but leaves the pointer where it is, for pictures of a hover. */
  async screenshotHere(name) {
    await this.page.screenshot({ path: join(this.screenshots, `vscode-${name}.png`) });
  }

  async assertNoErrors() {
    const errors = await this.find(".notification-toast:has(.codicon-error)").allInnerTexts();
    assert.deepEqual(errors, []);
  }
}
