// Reads the report of a batch as a scholar would: node report.mjs '{"page": …, "screenshot": …, "chromiumPath": …}'
// Prints what was found as JSON; any error on the page, or any attempt to fetch something, fails.
import { chromium } from "playwright-core";

const options = JSON.parse(process.argv[2]);
const browser = await chromium.launch({ executablePath: options.chromiumPath, args: ["--no-sandbox"] });
const faults = [];
try {
  const page = await browser.newPage({ viewport: { width: 1180, height: 1420 } });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("request", (request) => request.url() === options.page || faults.push(request.url()));
  await page.goto(options.page);
  const rows = page.locator("tr.row");
  const all = await rows.count();
  await page.fill("#search", options.search);
  const found = await rows.allInnerTexts();
  await page.fill("#search", "");
  await page.check("#notes");
  const notRestored = await rows.count();
  await page.uncheck("#notes");
  await rows.first().click();
  const suggestions = await page.locator("tr.more li").allInnerTexts();
  await page.screenshot({ path: options.screenshot });
  console.log(JSON.stringify({ all, found, notRestored, suggestions, faults }));
} finally {
  await browser.close();
}
