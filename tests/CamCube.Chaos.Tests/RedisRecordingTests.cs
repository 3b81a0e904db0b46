using CamCube.Chaos.Clients;
using CamCube.Chaos.Settings;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Loads.Tests.Kit;

namespace CamCube.Chaos.Tests;

/// <summary>Clients of a server that speaks Redis, which is right or wrong: what they were told is a history that says
/// so.</summary>
public sealed class RedisRecordingTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task Of_a_right_server_the_history_is_linearizable_and_has_all_kinds_of_operations()
    {
        await using var server = new RedisFake(ports: 3);
        (RecordingResult result, IReadOnlyList<HistoryOperation> history) = await RecordAsync(server);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.True(verdict.IsLinearizable, $"{verdict}");
        Assert.InRange(result.Operations, 500, long.MaxValue);
        Assert.Equal(0, result.Unknown);
        HistoryOperation[] done = [.. history.Where(static one => one.Answer == HistoryAnswer.Done)];
        Assert.Contains(done, static one => one.Kind == HistoryKind.Add);
        Assert.Contains(done, static one => one is { Kind: HistoryKind.Put, IfPresent: true, IfValue: not null });
        Assert.Contains(done, static one => one is { Kind: HistoryKind.Put, IfPresent: false, IfValue: not null });
        Assert.Contains(done, static one => one is { Kind: HistoryKind.Put, IfVersion: 0 });
        Assert.Contains(history, static one => one is { Kind: HistoryKind.Put, Answer: HistoryAnswer.Conflict });
        Assert.Contains(history, static one => one is { Kind: HistoryKind.Delete, Answer: HistoryAnswer.Unknown });
        Assert.Equal(0, server.Count);
    }

    // The command is done and its answer never comes, or it is not done: nobody knows which.
    [Fact]
    public async Task Of_a_right_server_whose_connections_break_it_is_linearizable()
    {
        await using var server = new RedisFake(ports: 2) { Breaks = true };
        (RecordingResult result, IReadOnlyList<HistoryOperation> history) = await RecordAsync(server);
        Assert.InRange(result.Unknown, 5, long.MaxValue);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.True(verdict.IsLinearizable, $"{verdict}");
    }

    [Theory]
    [InlineData(RedisFault.StaleRead)]
    [InlineData(RedisFault.LostWrite)]
    [InlineData(RedisFault.LostSum)]
    [InlineData(RedisFault.WatchesNothing)]
    [InlineData(RedisFault.IgnoresCondition)]
    [InlineData(RedisFault.Foreign)]
    public async Task A_server_that_is_wrong_now_and_then_is_found(RedisFault fault)
    {
        await using var server = new RedisFake(fault, ports: 2);
        (_, IReadOnlyList<HistoryOperation> history) = await RecordAsync(server);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.False(verdict.IsLinearizable, $"{verdict}");
        Assert.InRange(Contradiction.Of(history, verdict).Count, 1, history.Count);
    }

    private async Task<(RecordingResult, IReadOnlyList<HistoryOperation>)> RecordAsync(RedisFake server)
    {
        var options = new ChaosOptions
        {
            Name = "",
            Program = "",
            HistoryFile = _file,
            Time = TimeSpan.FromSeconds(3),
            Clients = 10,
            Keys = 8,
            Pause = TimeSpan.FromMilliseconds(8),
        };
        RecordingResult result = await new RedisRecording([.. server.Endpoints], options, "record/").RunAsync(
            static _ => { },
            TestContext.Current.CancellationToken
        );
        return (result, HistoryFile.Read(File.ReadLines(_file)));
    }
}
