namespace CamCube.Tool.Checks;

/// <summary>What breaks a rule. The properties are the JSON of <c>camcube service check --json</c>, in this
/// order.</summary>
/// <param name="Rule">Which one: CC0001, CC0002, and so on (docs/analyzers.md).</param>
/// <param name="File">Source file, or null without debug information.</param>
/// <param name="Line">Line in it, or null.</param>
/// <param name="Member">The user's own method: async methods, iterators and lambdas are named as they were
/// written.</param>
/// <param name="IlOffset">Where in the compiled method, in bytes; 0 of declarations.</param>
/// <param name="Use">"calls", "creates", "refers to", "reads", "writes" or "names"; of declarations "has".</param>
/// <param name="Banned">Full name of what it uses; of declarations what it is.</param>
/// <param name="Entry">The entry of BannedSymbols.txt, a documentation id; null: it is of another rule.</param>
/// <param name="Advice">What to do instead.</param>
public sealed record Breach(
    string Rule,
    string? File,
    int? Line,
    string Member,
    int IlOffset,
    string Use,
    string Banned,
    string? Entry,
    string Advice
);
