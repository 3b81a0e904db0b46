using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>A picture worker has a processor while nobody else wants it.</summary>
public sealed class YieldingTests
{
    // An argument that says nothing to the program: by it the worker of this test is told from others'.
    private const string Mark = "yielding-test";
    private const string Idle = "5";

    [Fact]
    public async Task Every_thread_of_a_worker_yields_libvips_own_too()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "who may not take it back does not give it away.");
        using WorkerKit kit = new(WorkerKit.Patient with { YieldTime = TimeSpan.FromHours(1) }, Mark);
        PictureResult result = await kit.MakeAsync(PictureBuilder.Png(600, 400));
        Assert.Equal(PictureStatus.Done, result.Status);
        int worker = Assert.Single(
            WorkerKit.Processes(),
            id => WorkerKit.TryRead($"/proc/{id}/cmdline").Contains(Mark, StringComparison.Ordinal)
        );
        string[] threads =
        [
            .. Directory
                .GetDirectories($"/proc/{worker}/task")
                .Select(thread => WorkerKit.TryRead(thread + "/stat"))
                .Where(stat => stat.Length > 0),
        ];
        Assert.Contains(threads, stat => stat.Contains("vips", StringComparison.Ordinal));
        Assert.All(threads, stat => Assert.Equal(Idle, ClassOf(stat)));
    }

    // The 41st field; the second, its name, may have spaces.
    private static string ClassOf(string stat) => stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[38];
}
