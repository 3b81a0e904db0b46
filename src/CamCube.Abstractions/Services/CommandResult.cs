namespace CamCube;

/// <summary>The end of a command.</summary>
/// <param name="IsOk">Whether it was done.</param>
/// <param name="Text">If done: a JSON value. If not: one line that says why.</param>
public sealed record CommandResult(bool IsOk, string Text);
