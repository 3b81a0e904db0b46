namespace CamCube.Workers.Tests;

/// <summary>Workers have a processor while nobody else wants it, but not for ever.</summary>
public sealed class YieldingTests
{
    private const string Idle = "5";
    private const string Usual = "0";

    [Fact]
    public async Task A_worker_yields_to_all_others_from_its_start()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "who may not take it back does not give it away.");
        using IWorkers workers = Open(TimeSpan.FromHours(1));
        string id = (await workers.RunAsync(Shell.Job("pid"))).Text();
        Assert.Equal(Idle, ClassOf(id));
    }

    [Fact]
    public async Task A_job_that_takes_long_has_its_share_and_the_next_yields_again()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "who may not take it back does not give it away.");
        using IWorkers workers = Open(TimeSpan.FromMilliseconds(50));
        for (int i = 0; i < 2; i++)
        {
            // Ends when it sees that it has its share.
            WorkerResult result = await workers.RunAsync(Shell.Job("share"));
            Assert.Equal(WorkerStatus.Answered, result.Status);
            Assert.Equal(Idle, ClassOf(result.Text()));
        }
    }

    [Fact]
    public async Task Without_a_time_for_it_a_worker_has_its_share_at_once()
    {
        using IWorkers workers = Open(TimeSpan.Zero);
        string id = (await workers.RunAsync(Shell.Job("pid"))).Text();
        Assert.Equal(Usual, ClassOf(id));
    }

    private static IWorkers Open(TimeSpan yieldTime) =>
        WorkerPools.Open(Shell.Kind(Shell.Options with { YieldTime = yieldTime }));

    // The 41st field; the second, its name, has no space here.
    private static string ClassOf(string id) => File.ReadAllText($"/proc/{id}/stat").Split(' ')[40];
}
