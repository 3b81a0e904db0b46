namespace CamCube.Services.Images.Pictures.Tests.Workers;

public sealed class SandboxTests
{
    [Fact]
    public async Task A_worker_that_tries_to_open_connect_start_or_load_something_else_is_refused_from_its_threads()
    {
        using WorkerKit kit = new(null, "probe");
        await kit.MakeAsync(PictureBuilder.Png(30, 20));
        string[] lines = kit.Pictures.Facts.Split('\n');
        Assert.Equal(
            ["finalizer", "library", "main", "pool", "thread", "timer"],
            lines.Select(line => line.Split(' ')[0]).Distinct().Order()
        );
        Assert.All(lines, line => Assert.EndsWith("refused", line));
        Assert.Equal(59, lines.Length);
        Assert.False(File.Exists("/tmp/camcube-worker-probe"));
    }

    [Fact]
    public async Task Every_thread_of_a_worker_libvips_own_too_has_the_filter_and_no_new_privileges()
    {
        using WorkerKit kit = new();
        await kit.MakeAsync(PictureBuilder.Png(600, 400));
        Assert.DoesNotContain("lacks", kit.Pictures.Facts);
        int[] workers = [.. WorkerKit.Processes().Where(IsWorker)];
        Assert.NotEmpty(workers);
        string[] threads = [.. workers.SelectMany(id => Directory.GetDirectories($"/proc/{id}/task"))];
        Assert.Contains(threads, thread => WorkerKit.TryRead(thread + "/comm").Contains("vips"));
        Assert.All(
            threads.Select(thread => WorkerKit.TryRead(thread + "/status")).Where(status => status.Length > 0),
            status =>
            {
                Assert.Contains("Seccomp:\t2", status);
                Assert.Contains("NoNewPrivs:\t1", status);
            }
        );
    }

    /// <summary>A worker of another test may be in its first run still, which has no filter yet.</summary>
    private static bool IsWorker(int id) =>
        WorkerKit.TryRead($"/proc/{id}/cmdline").Contains("Images.Worker")
        && WorkerKit.TryRead($"/proc/{id}/status").Contains("Seccomp:\t2");
}
