namespace CamCube.Loads.Tests.Kit;

/// <summary>A key of a <see cref="RedisFake"/>.</summary>
/// <param name="Value">Its value.</param>
/// <param name="Before">The value before.</param>
/// <param name="End">When it ends, in milliseconds of the system's clock; null: never.</param>
/// <param name="Number">Of the command that wrote it.</param>
internal sealed record RedisFakeKey(string Value, string? Before, long? End, long Number);
