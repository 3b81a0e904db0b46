namespace CamCube.Services.Camdoop;

/// <summary>What a task had to do.</summary>
/// <param name="Task">Its name, as in <c>task_1764420000000_0001_m_000000</c>.</param>
/// <param name="Server">Who did it.</param>
/// <param name="Took">How long it ran; waiting for a place not counted.</param>
/// <param name="Input">Bytes that it took: of input, or of pairs.</param>
/// <param name="Output">Bytes that it gave: of pairs, or of output.</param>
public sealed record TaskLoad(string Task, Coordinate Server, TimeSpan Took, long Input, long Output);
