using CamCube.Services.Distribution.Pieces;

namespace CamCube.Services.Distribution.Tests.Pieces;

public sealed class DiskTurnsTests
{
    private static readonly byte[] Bytes = new byte[4_096];
    private readonly DiskTurns _turns = new();
    private readonly Queue<HeldFile> _asked = new();

    [Fact]
    public void Fifty_files_of_any_weight_get_what_they_weigh_whatever_the_length_of_their_operations()
    {
        int[] weights = [.. Enumerable.Range(1, 50), 1_000];
        HeldFile[] files = [.. weights.Select(_ => new HeldFile(_asked))];
        for (int i = 0; i < files.Length; i++)
        {
            var file = new TurnedFile(files[i], _turns, weights[i]);
            for (int n = 0; n < 6; n++)
            {
                Go(file, 512 << (i % 4));
            }
        }

        for (int i = 0; i < 200_000; i++)
        {
            HeldFile next = _asked.Dequeue();
            next.End(512 << (Array.IndexOf(files, next) % 4));
            Assert.Equal(DiskTurns.Most, _turns.UnderWay);
        }

        double unit = (double)files.Sum(static f => f.Done) / weights.Sum();
        Assert.All(files.Zip(weights), f => Assert.InRange(f.First.Done / unit / f.Second, 0.97, 1.03));
    }

    [Fact]
    public void Who_wanted_nothing_for_a_while_has_no_claim_to_it()
    {
        HeldFile[] files = [new(_asked), new(_asked)];
        TurnedFile[] turned = [.. files.Select(f => new TurnedFile(f, _turns, 1))];
        Start(turned[0]);
        for (int i = 0; i < 1_000; i++)
        {
            _asked.Dequeue().End(1);
        }

        Start(turned[1]);
        for (int i = 0; i < 200; i++)
        {
            _asked.Dequeue().End(1);
        }

        Assert.InRange(files[1].Done, 90, 110);

        void Start(TurnedFile file)
        {
            for (int n = 0; n < 8; n++)
            {
                Go(file, 100);
            }
        }
    }

    [Fact]
    public void Operations_that_never_end_hold_up_nobody_else()
    {
        HeldFile stuck = new(_asked),
            other = new(_asked);
        var hangs = new TurnedFile(stuck, _turns, 1_000);
        for (int n = 0; n < DiskTurns.Most; n++)
        {
            _ = hangs.WriteAsync(0, Bytes).AsTask();
            Assert.Same(stuck, _asked.Dequeue());
        }

        Go(new TurnedFile(other, _turns, 1), 100);
        _turns.Look();
        Assert.Equal((0, 1), (_asked.Count, _turns.Waiting));
        _turns.Look();
        for (int i = 0; i < 100; i++)
        {
            _asked.Dequeue().End(1);
            _turns.Look();
        }

        Assert.Equal(100, other.Done);
        for (int n = 0; n < DiskTurns.Most; n++)
        {
            stuck.End(1);
        }

        _asked.Dequeue();
        other.End(1);
        Assert.InRange(_turns.UnderWay, 0, DiskTurns.Most);
    }

    [Fact]
    public async Task What_was_asked_for_before_a_file_was_closed_ends_as_it_would_have()
    {
        var held = new HeldFile(_asked);
        var file = new TurnedFile(held, _turns, 1);
        ValueTask<DiskStatus>[] writes = [.. Enumerable.Range(0, 9).Select(_ => file.WriteAsync(0, Bytes))];
        file.Close();
        Assert.Equal((0L, DiskStatus.Stopped), (file.Length, await file.WriteAsync(0, Bytes)));
        Assert.Equal(DiskStatus.Stopped, (await file.ReadAsync(0, new byte[1])).Status);
        for (int i = 0; i < writes.Length; i++)
        {
            Assert.False(held.IsClosed);
            _asked.Dequeue().End(1);
            Assert.Equal(DiskStatus.Done, await writes[i]);
        }

        Assert.True(held.IsClosed);
        Assert.Equal((0, 0), (_turns.UnderWay, _turns.Waiting));
    }

    // One operation after the other.
    private static async void Go(TurnedFile file, int bytes)
    {
        while ((await file.WriteAsync(0, Bytes.AsMemory(0, bytes)).ConfigureAwait(false)) == DiskStatus.Done) { }
    }
}
