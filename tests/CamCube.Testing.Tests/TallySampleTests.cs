using TallySample;

namespace CamCube.Testing.Tests;

/// <summary>The example of docs/testing.md does what the page says.</summary>
public sealed class TallySampleTests
{
    [Fact]
    public void The_planted_bug_is_found_shrunk_and_shown_again_by_what_the_message_says()
    {
        SwarmFailedException e = Assert.Throws<SwarmFailedException>(() =>
            TallySwarm.Run(static server => new TallyService(server, isForgetful: true))
        );
        TestContext.Current.TestOutputHelper!.WriteLine(e.Message);
        Assert.StartsWith("sum: client ", e.Finding, StringComparison.Ordinal);
        Assert.InRange(e.Faults.Count, 1, 5);
        SwarmFailedException again = Assert.Throws<SwarmFailedException>(() =>
            TallySwarm.Run(static server => new TallyService(server, isForgetful: true), e.Replay)
        );
        Assert.Equal(e.Finding, again.Finding);

        // Mended, the same run passes, and so do all others.
        TallySwarm.Run(static server => new TallyService(server), e.Replay);
    }

    [Fact]
    public void The_service_without_the_bug_passes()
    {
        SwarmReport report = TallySwarm.Run(static server => new TallyService(server));
        TestContext.Current.TestOutputHelper!.WriteLine(report.ToString());
        Assert.Equal(200, report.Runs);
    }
}
