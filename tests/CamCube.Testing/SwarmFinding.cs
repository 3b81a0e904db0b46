namespace CamCube.Testing;

/// <summary>What is wrong with a run.</summary>
/// <param name="Kind">What kind of thing: runs that fail alike have the same one.</param>
/// <param name="What">What is wrong, in some lines.</param>
/// <param name="Exception">What was thrown, if anything was.</param>
/// <param name="CanShrink">Whether other runs are worth their time: not where each takes real seconds.</param>
internal sealed record SwarmFinding(string Kind, Func<string> What, Exception? Exception = null, bool CanShrink = true);
