namespace CamCube.Simulator.Checkers;

/// <summary>Something that must never be so, and was.</summary>
/// <param name="Checker">Who noticed.</param>
/// <param name="Nanos">Virtual time at which it was so, in nanoseconds.</param>
/// <param name="What">One line in words: servers, keys and what was expected.</param>
public readonly record struct CheckFailure(string Checker, long Nanos, string What);
