using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace CamCube.Benchmarks;

/// <summary>What BenchmarkDotNet measures. It builds a program of its own first, with all that the benchmarks
/// name.</summary>
internal static class MicroRun
{
    /// <summary>That build takes more than two minutes on two cores, which is all that BenchmarkDotNet waits.</summary>
    private static readonly TimeSpan BuildTimeout = TimeSpan.FromMinutes(15);

    /// <summary>Runs the benchmarks that its arguments choose. Answers the exit code: 1 if one of them could not be
    /// built or measured.</summary>
    /// <param name="args">BenchmarkDotNet's.</param>
    public static int Run(string[] args)
    {
        ManualConfig config = ManualConfig.Create(DefaultConfig.Instance).WithBuildTimeout(BuildTimeout);
        IEnumerable<Summary> summaries = BenchmarkSwitcher.FromAssembly(typeof(MicroRun).Assembly).Run(args, config);
        return summaries.All(IsWhole) ? 0 : 1;
    }

    private static bool IsWhole(Summary summary) =>
        !summary.HasCriticalValidationErrors
        && summary.Reports.Length == summary.BenchmarksCases.Length
        && summary.Reports.All(report => report.Success);
}
