// Plays one scenario: node run.mjs '{"scenario": …, "url": …, "folder": …, "screenshots": …, "chromiumPath": …}'
// On failure a picture of the workbench is left as vscode-failure-SCENARIO.png.
import { scenarios } from "./scenarios.mjs";
import { Workbench } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const scenario = scenarios[options.scenario];
if (scenario === undefined) {
  throw new Error(`There is no scenario ${options.scenario}.`);
}
const workbench = await Workbench.open(options);
try {
  await scenario(workbench);
} catch (error) {
  await workbench.screenshotHere(`failure-${options.scenario}`);
  console.error(error);
  process.exitCode = 1;
} finally {
  await workbench.close();
}
