using CamCube.Testbed;

namespace CamCube.Benchmarks.Distributions;

/// <summary>Whether a copy is one.</summary>
internal static class SameFile
{
    /// <summary>Compares all bytes.</summary>
    /// <exception cref="TestbedException">They differ, or it is not there.</exception>
    public static void Check(string file, string copy)
    {
        if (!File.Exists(copy) || !File.ReadAllBytes(file).AsSpan().SequenceEqual(File.ReadAllBytes(copy)))
        {
            throw new TestbedException($"{copy} is not {file}.");
        }
    }
}
