"""The rules of reading, one row per construct: markup, the letters read from it, and their states.

States: `.` preserved, `u` unclear, `s` supplied, `l` lost, `e` understood (never on the stone). The table
in docs/reading.md is made from these rows.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    name: str
    markup: str
    letters: str
    states: str = ""
    """Empty: all preserved."""


TEXT = [
    Rule("plain text loses accents and capitals", "Ἔδοξεν τῆι βουλῆι", "εδοξεν τηι βουληι"),
    Rule("punctuation parts words and is not read", "θεοί·Ἔδοξεν, ἄνδρες.", "θεοι εδοξεν ανδρεσ"),
    Rule("interpuncts of archaic texts part words", "καὶ⁚το͂ι⁝Διὶ⸱καί", "και τοι διι και"),
    Rule("elision parts words", "ἀλλ’ἐγώ", "αλλ εγω"),
    Rule("whitespace is one space", "ὁ \n\t δῆμος", "ο δημοσ"),
    Rule("both sigmas and the lunate one are σ", "σοφός ϲοφόϲ ϹΟΦΟϹ", "σοφοσ σοφοσ σοφοσ"),
    Rule("letter variants are their letter", "ϐίος ϑεός ϕίλος ϰαί ϱ ϖ ϵ", "βιοσ θεοσ φιλοσ και ρ π ε"),
    Rule("digamma, stigma, koppa and sampi", "ϝάναξ ϛ ϙόρινθος ϟ ϡ", "ϝαναξ ϝ ϙορινθοσ ϙ ϡ"),
    Rule("a ligature counts once", "τȣ", "τυ"),
    Rule("heta is h", "hιερόν ͱιερόν Ͱιερόν", "hιερον hιερον hιερον"),
    Rule("heta alone in its tag", "<unclear>h</unclear>ιερόν", "hιερον", "u....."),
    Rule("Latin and Cyrillic look-alikes in a Greek word", "Mαρκoς Аὐρήλιос", "μαρκοσ αυρηλιοσ"),
    Rule(
        "look-alikes with an accent, and rarer ones",
        "Κλáδος λõν Гάϊος Єὐτύχης κɛφαλή",
        "κλαδοσ λον γαιοσ ευτυχησ κεφαλη",
    ),
    Rule("an accented look-alike cut off by markup", "κ<unclear>ó</unclear>ν", "κον", ".u."),
    Rule("a look-alike cut off by markup", "λα<supplied reason='lost'>o</supplied>γρ", "λαογρ", "..s.."),
    Rule("a word of another script is not read", "Marcus ἔδοξεν", "εδοξεν"),
    Rule("iota subscript is not a letter", "τῷ δήμῳ", "τω δημω"),
    Rule("decomposed letters are read like composed ones", "τω\u0345\u0342 δη\u0342μοσ", "τω δημοσ"),
    Rule("an underdot tells an unclear letter", "δη\u0323μος", "δημοσ", ".u..."),
    Rule("private-use characters and brackets are silent", "δῆ\ue001[μος]", "δημοσ"),
    Rule("character references are read", "&#x3b4;&#8134;μος &amp; βουλή", "δημοσ βουλη"),
    Rule("CDATA is text", "<![CDATA[δῆμος]]>", "δημοσ"),
    Rule("comments and instructions are nothing", "δῆ<!-- μῆνις --><?pb x?>μος", "δημοσ"),
    Rule(
        "committed merge markers are not read", "δῆμος\n&lt;&lt;&lt;&lt;&lt;&lt;&lt; HEAD\nκαί", "δημοσ και"
    ),
]

ELEMENTS = [
    Rule(
        "names, segments and highlights are their letters",
        "<persName><name>Κάλλι<hi>ας</hi></name></persName>",
        "καλλιασ",
    ),
    Rule("orig is read", "<orig>ΔΗΜ</orig>", "δημ"),
    Rule("edges of w are word edges", "<w>ὁ</w><w>δῆμος</w>", "ο δημοσ"),
    Rule("parts of one word are not parted", '<w part="I">δῆ</w><w part="F">μος</w>', "δημοσ"),
    Rule(
        "the edge of a w beside a lacuna is left open",
        '<w>δῆ</w><gap reason="lost" quantity="3" unit="character"/>',
        "δη---",
        "..lll",
    ),
    Rule("unclear", "δ<unclear>ῆ</unclear>μος", "δημοσ", ".u..."),
    Rule(
        "a choice of unclear letters is the first of them",
        "<choice><unclear>α</unclear><unclear>λ</unclear></choice>ὐτός",
        "αυτοσ",
        "u....",
    ),
    Rule(
        "expansion: abbr and ex, ex never on the stone",
        "<expan><abbr>Αὐρ</abbr><ex>ήλιος</ex></expan>",
        "αυρηλιοσ",
        "...eeeee",
    ),
    Rule("am is dropped", "<expan><abbr>κ<am>𐅻</am></abbr><ex>αί</ex></expan>", "και", ".ee"),
    Rule(
        "unclear letters of an expansion are still the editor's", "<ex>α<unclear>ί</unclear></ex>", "αι", "ee"
    ),
    Rule("choice: reg before orig", "<choice><orig>ΧΕΡΕ</orig><reg>χαῖρε</reg></choice>", "χαιρε"),
    Rule("choice: corr before sic", "<choice><sic>χαρε</sic><corr>χαῖρε</corr></choice>", "χαιρε"),
    Rule(
        "choice: expan before abbr",
        "<choice><abbr>κ</abbr><expan>κ<ex>αί</ex></expan></choice>",
        "και",
        ".ee",
    ),
    Rule("choice: else the first", "<choice><seg>δῆμον</seg><seg>δήμου</seg></choice>", "δημον"),
    Rule(
        "choice: a form in another language is not chosen",
        '<choice><reg xml:lang="la">salve</reg><reg>χαῖρε</reg><orig>χερε</orig></choice>',
        "χαιρε",
    ),
    Rule("app: the lemma", "<app><lem>δῆμος</lem><rdg>βουλή</rdg></app>", "δημοσ"),
    Rule(
        "app without lemma: the last reading, never two",
        "<app type='previouslyread'><rdg>βουλή</rdg><rdg>δῆμος</rdg></app>",
        "δημοσ",
    ),
    Rule(
        "app with groups: the last reading",
        "<app><rdgGrp><rdg>βουλή</rdg><rdg>δῆμος</rdg></rdgGrp></app>",
        "δημοσ",
    ),
    Rule("surplus is dropped", "δῆ<surplus>μη</surplus>μος", "δημοσ"),
    Rule(
        "notes and descriptions are dropped",
        "δῆ<note>sic</note><desc>α</desc><certainty match='..'/><figDesc>β</figDesc><fw>γ</fw>μος",
        "δημοσ",
    ),
    Rule("headings and bibliography are dropped", "<head>Α</head>δῆμος <bibl>Β</bibl>", "δημοσ"),
    Rule("an erasure is read", "<del rend='erasure'>Γέτα</del>", "γετα"),
    Rule("subst: the addition", "<subst><del>βουλή</del><add>δῆμος</add></subst>", "δημοσ"),
    Rule("a numeral is one sign", 'ἔτους <num value="12">ιβ</num> μηνός', "ετουσ 0 μηνοσ"),
    Rule("a numeral with thousands", '<num value="2527">Βφκζ</num>', "0"),
    Rule("an acrophonic numeral", '<num value="221">ΗΗΔΔΙ</num>', "0"),
    Rule("a number word is read", '<num value="12">δώδεκα</num>', "δωδεκα"),
    Rule("a number word without accents is read", '<num value="2">δυο</num>', "δυο"),
    Rule("a fraction sign", '<num value="1/2">𐅵</num>', "0"),
    Rule(
        "a numeral restored in part", '<num value="12"><supplied reason="lost">ι</supplied>β</num>', "0", "s"
    ),
    Rule(
        "a numeral lost in part", '<num>ι<gap reason="lost" quantity="1" unit="character"/></num>', "0", "s"
    ),
    Rule("g is a word edge", "τύχη<g type='leaf'/>θεοί", "τυχη θεοι"),
    Rule("g inside a word is nothing", "<w>τύ<g type='leaf'/>χη</w>", "τυχη"),
    Rule("the sign that a g shows is not read", "τύχη <g type='chirho'>⳨ρ</g> θεοί", "τυχη θεοι"),
    Rule("a vacant space does not part a word", "χαῖ<space quantity='2' unit='character'/>ρε", "χαιρε"),
    Rule("xi:include and empty elements are nothing", "δῆ<link target='#a'/>μος", "δημοσ"),
]

BREAKS = [
    Rule("a line break is a word edge", "ἔδοξεν<lb n='2'/>τῆι", "εδοξεν τηι"),
    Rule("with whitespace too it is one space", "ἔδοξεν\n  <lb n='2'/> τῆι", "εδοξεν τηι"),
    Rule('break="no" joins', "βου<lb n='2' break='no'/>λῆι", "βουληι"),
    Rule('whitespace around break="no" vanishes', "βου\n   <lb n='2' break='no'/>\n λῆι", "βουληι"),
    Rule("also with a comment between", "βου\n <!-- x -->\n<lb n='2' break='no'/>λῆι", "βουληι"),
    Rule("old style of in-word breaks", "βου\n<lb n='2' type='inWord'/>λῆι", "βουληι"),
    Rule("older still", "βου\n<lb n='2' type='worddiv'/>λῆι", "βουληι"),
    Rule(
        "columns and milestones are word edges",
        "ἔδοξεν<cb n='2'/>τῆι<milestone unit='block'/>βουλῆι",
        "εδοξεν τηι βουληι",
    ),
    Rule(
        "a milestone within a name does not cut it",
        "<name>Νυ<milestone unit='block'/>μφόδωρον</name>",
        "νυμφοδωρον",
    ),
    Rule("a line break within w does not cut it", "<w>χρε <lb n='14'/> οφυλάκιον</w>", "χρεοφυλακιον"),
    Rule("a numeral across a line break", "<num value='12'>ι<lb n='2' break='no'/>β</num> μηνός", "0 μηνοσ"),
    Rule("verses and paragraphs are word edges", "<lg><l>μῆνιν</l><l>ἄειδε</l></lg>", "μηνιν αειδε"),
]

RESTORED = [
    Rule("supplied reason lost", 'δῆ<supplied reason="lost">μος</supplied>', "δημοσ", "..sss"),
    Rule("supplied reason undefined", 'δῆ<supplied reason="undefined">μος</supplied>', "δημοσ", "..sss"),
    Rule("supplied without reason", "δῆ<supplied>μος</supplied>", "δημοσ", "..sss"),
    Rule(
        "supplied reason omitted was never on the stone",
        'δῆ<supplied reason="omitted">μο</supplied>ς',
        "δημοσ",
        "..ee.",
    ),
    Rule(
        "nor was an abbreviation that older files supply",
        '<expan>Αὐρ<supplied reason="abbreviation">ήλιος</supplied></expan>',
        "αυρηλιοσ",
        "...eeeee",
    ),
    Rule("supplied reason subaudible is dropped", 'τοῦ <supplied reason="subaudible">υἱοῦ</supplied>', "του"),
    Rule(
        "supplied reason explanation is dropped", 'τοῦ <supplied reason="explanation">υἱοῦ</supplied>', "του"
    ),
    Rule(
        "nested supplied",
        '<supplied reason="undefined">Παυσ<supplied reason="lost">α</supplied>νία</supplied>',
        "παυσανια",
        "ssssssss",
    ),
    Rule(
        "unclear within supplied",
        '<supplied reason="lost">δ<unclear>ῆ</unclear>μος</supplied>',
        "δημοσ",
        "susss",
    ),
    Rule(
        "supplied across lines",
        '<supplied reason="lost">τῶι δή<lb n="2" break="no"/>μωι</supplied>',
        "τωι δημωι",
        "sssssssss",
    ),
    Rule("supplied that holds only dashes is lost", 'δῆ<supplied reason="lost">— —</supplied>', "δη#", "..l"),
    Rule(
        "supplied that holds nothing but an extent is lost",
        'δῆ<supplied reason="lost" extent="3" unit="character"/>',
        "δη---",
        "..lll",
    ),
    Rule(
        "a cross that an editor restored is no loss",
        "δῆμος<supplied><g type='cross'/></supplied>καί",
        "δημοσ και",
    ),
    Rule("nor is a blank", "δῆ<supplied><space/></supplied>μος", "δημοσ"),
    Rule("nor a stop, nor text in another script", "δῆμος<supplied>· Marcus</supplied> καί", "δημοσ και"),
]

GAPS = [
    Rule("quantity", 'δῆ<gap reason="lost" quantity="3" unit="character"/>', "δη---", "..lll"),
    Rule("about", 'δῆ<gap reason="lost" quantity="3" unit="character" precision="low"/>', "δη---", "..lll"),
    Rule("range", 'δῆ<gap reason="lost" atLeast="2" atMost="4" unit="character"/>', "δη---", "..lll"),
    Rule("at least", 'δῆ<gap reason="lost" atLeast="2" unit="character"/>', "δη--#", "..lll"),
    Rule("at most", 'δῆ<gap reason="lost" atMost="4" unit="character"/>', "δη#", "..l"),
    Rule("unknown", 'δῆ<gap reason="lost" extent="unknown" unit="character"/>', "δη#", "..l"),
    Rule("lines", 'δῆμος <gap reason="lost" quantity="3" unit="line"/> καί', "δημοσ # και", "......l...."),
    Rule(
        "a gap with a description",
        'δῆ<gap reason="lost" quantity="3" unit="character"><desc>vestigia</desc></gap>',
        "δη---",
        "..lll",
    ),
    Rule("an ellipsis is not a loss", 'δῆμος<gap reason="ellipsis"/>καί', "δημοσ και"),
    Rule(
        "adjacent gaps are one",
        '<gap reason="lost" quantity="2" unit="character"/>'
        '<gap reason="illegible" quantity="1" unit="character"/>',
        "---",
        "lll",
    ),
    Rule(
        "adjacent gaps of which one is unknown",
        '<gap reason="lost" extent="unknown" unit="character"/>'
        '<gap reason="lost" quantity="2" unit="character"/>',
        "--#",
        "lll",
    ),
    Rule(
        "a gap cut by a line break",
        'δῆ<gap reason="lost" quantity="2" unit="character"/><lb n="2" break="no"/>'
        '<gap reason="lost" quantity="1" unit="character"/>ς',
        "δη---σ",
        "..lll.",
    ),
    Rule(
        "gaps in two words",
        '<gap reason="lost" quantity="2" unit="character"/> '
        '<gap reason="lost" quantity="1" unit="character"/>',
        "-- -",
        "ll.l",
    ),
    Rule(
        "more than two hundred letters are an unknown stretch",
        'δῆ<gap reason="lost" quantity="500" unit="character"/>',
        "δη#",
        "..l",
    ),
]

LANGUAGES = [
    Rule("another language is skipped", 'δῆμος <foreign xml:lang="la">Μάρκος</foreign> καί', "δημοσ και"),
    Rule(
        "Greek within another language is read",
        '<div type="textpart" xml:lang="la"><ab>Marcus <foreign xml:lang="grc">δῆμος</foreign></ab></div>',
        "δημοσ",
    ),
    Rule("Greek script is not always Greek", '<foreign xml:lang="xly-Grek">κοτο</foreign> δῆμος', "δημοσ"),
    Rule("Greek in Latin letters is not read", '<foreign xml:lang="grc-Latn">demos</foreign> δῆμος', "δημοσ"),
    Rule(
        "an apparatus within the edition is not text",
        '<ab>δῆμος</ab><div type="apparatus"><p>βουλή</p></div>',
        "δημοσ",
    ),
]

RULES = [*TEXT, *ELEMENTS, *BREAKS, *RESTORED, *GAPS, *LANGUAGES]
