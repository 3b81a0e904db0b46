using System.Globalization;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>What makes tests with drawn inputs longer, or repeats one; the project's README says how.</summary>
internal static class LongRun
{
    /// <summary>The seed of this run: <c>CAMCUBE_SEED</c>, or drawn.</summary>
    public static int Seed { get; } = (int)NumberOf("CAMCUBE_SEED", Random.Shared.Next());

    /// <summary>How long crowds work, in seconds; 0: as many rounds as the test thinks right.</summary>
    public static long Seconds => NumberOf("CAMCUBE_SOAK_SECONDS", 0);

    /// <summary>Inputs of a fuzz test.</summary>
    public static long FuzzInputs => NumberOf("CAMCUBE_FUZZ_INPUTS", 100_000);

    private static long NumberOf(string variable, long otherwise) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text
            ? long.Parse(text, CultureInfo.InvariantCulture)
            : otherwise;
}
