/** What the extension and the language server say to each other beyond the standard protocol. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export type LacunaState = "open" | "pending" | "restored" | "conjecture" | "unrestorable";

/** One row of the Lacunae view. */
export interface LacunaRow {
  /** Its place among the lacunae of the document, from 1. */
  number: number;
  range: Range;
  state: LacunaState;
  /** How much is lost, in words: "5 letters". */
  extent: string;
  /** The line of the edition as its `n` names it, if it has one. */
  line: string | null;
  before: string;
  text: string;
  after: string;
}

export interface LacunaeAnswer {
  tei: boolean;
  lacunae: LacunaRow[];
}

export interface HypothesisRow {
  rank: number;
  /** As it would be written: accented, with word divisions. */
  text: string;
  /** As the model gave it: plain letters. */
  letters: string;
  probability: number;
  /** How often the user's collection has it in this context; null without an index. */
  attestations: number | null;
}

/** The signs around a lacuna as the edition writes them; the restoration rests on `signs[i]` by `weights[i]`. */
export interface Evidence {
  signs: string[];
  lacunaStart: number;
  lacunaEnd: number;
  weights: number[] | null;
}

export interface ParallelRow {
  source: string;
  /** The file it stands in, and the line of that file. */
  uri: string | null;
  line: number | null;
  /** Some of its letters are themselves an editor's restoration. */
  conjecture: boolean;
  before: string;
  match: string;
  after: string;
}

export interface RestorationAnswer {
  uri: string;
  version: number | null;
  lacuna: LacunaRow;
  /** The line in Leiden notation, before and after the restored letters. */
  leiden: { before: string; after: string };
  model: string;
  hypotheses: HypothesisRow[];
  /** The editor's own conjecture, when the lacuna already holds one. */
  conjecture: { text: string; rank: number | null; probability: number | null } | null;
  evidence: Evidence;
  /** null when no index of parallels is configured. */
  parallels: ParallelRow[] | null;
}

export interface ServerStatus {
  state: "idle" | "loading" | "busy" | "failed";
  model: string;
  device: string;
  message: string;
}

export const LACUNAE = "pythia/lacunae";
export const LACUNAE_CHANGED = "pythia/lacunaeChanged";
export const RESTORATION = "pythia/restoration";
export const EVIDENCE = "pythia/evidence";
export const STATUS = "pythia/status";

/** Messages between the extension and the Restoration panel. */
export type ToPanel =
  | { kind: "restoration"; restoration: RestorationAnswer }
  | { kind: "evidence"; rank: number; evidence: Evidence; parallels: ParallelRow[] | null }
  | { kind: "waiting"; extent: string }
  | { kind: "nothing"; reason: string };

export type FromPanel =
  | { kind: "ready" }
  | { kind: "select"; rank: number }
  | { kind: "accept"; rank: number; text: string }
  | { kind: "insert"; count: number }
  | { kind: "reveal" }
  | { kind: "open"; uri: string; line: number | null };
