namespace CamCube.Tool.Checks;

/// <summary>A use of a banned member. The properties are the JSON of <c>camcube service check --json</c>, in this
/// order.</summary>
/// <param name="File">Source file, or null without debug information.</param>
/// <param name="Line">Line in it, or null.</param>
/// <param name="Member">The user's own method: async methods, iterators and lambdas are named as they were
/// written.</param>
/// <param name="IlOffset">Where in the compiled method, in bytes.</param>
/// <param name="Use">"calls", "creates", "refers to", "reads", "writes" or "names".</param>
/// <param name="Banned">Full name of what it uses.</param>
/// <param name="Entry">The entry of the list, a documentation id.</param>
/// <param name="Advice">What to do instead, as the list says.</param>
public sealed record Breach(
    string? File,
    int? Line,
    string Member,
    int IlOffset,
    string Use,
    string Banned,
    string Entry,
    string Advice
);
