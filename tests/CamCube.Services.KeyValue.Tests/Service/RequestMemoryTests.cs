using CamCube.Calls;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Tests.Service;

public sealed class RequestMemoryTests
{
    private static readonly Outcome Fine = new(KeyValueStatus.Done, 7);
    private readonly AnswerRoom _room = new(1_024);

    [Fact]
    public void What_is_closed_is_refused_and_what_is_open_is_answered()
    {
        var memory = new RequestMemory(_room);
        memory.Add(Of(0, 1, 1), 0, Fine);
        memory.Add(Of(0, 1, 3), 0, Fine);
        memory.Add(Of(0, 1, 5), 2, Fine with { Version = 9 });
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(0, 1, 1), out _));
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(0, 1, 2), out _));
        Assert.Equal(Knowledge.Answered, memory.Find(Of(0, 1, 3), out _));
        Assert.Equal(Knowledge.New, memory.Find(Of(0, 1, 4), out _));
        Assert.Equal((Knowledge.Answered, 9ul), (memory.Find(Of(0, 1, 5), out Outcome outcome), outcome.Version));
        Assert.Equal(Knowledge.New, memory.Find(Of(1, 1, 1), out _));
        Assert.Equal(2, _room.Kept);
    }

    [Fact]
    public void Of_earlier_runs_all_is_refused()
    {
        var memory = new RequestMemory(_room);
        memory.Add(Of(0, 5, 1), 0, Fine);
        memory.Add(Of(0, 5, ulong.MaxValue), 0, Fine);
        memory.Add(Of(0, 6, 1), 0, Fine);
        memory.Add(Of(0, 5, 2), 0, Fine);
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(0, 5, 1), out _));
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(0, 5, 7), out _));
        Assert.Equal(Knowledge.Answered, memory.Find(Of(0, 6, 1), out _));
        Assert.Equal(Knowledge.New, memory.Find(Of(0, 7, 1), out _));
        Assert.Equal((1, 1), (memory.Count, _room.Kept));
        Assert.Equal(6ul, memory.RunBefore(Of(0, 5, 9)));
        Assert.Equal(0ul, memory.RunBefore(Of(0, 6, 1)));
        Assert.Equal(0ul, memory.RunBefore(Of(0, 7, 1)));
        Assert.Equal(0ul, memory.RunBefore(Of(1, 5, 1)));
    }

    [Fact]
    public void Who_closes_nothing_loses_its_own_answers_and_nobody_elses()
    {
        var memory = new RequestMemory(_room);
        memory.Add(Of(0, 1, 1), 0, Fine);
        for (ulong number = 1; number < 100_000; number++)
        {
            memory.Add(Of(1, 1, number * 1_000), 0, Fine);
            Assert.InRange(memory.Count, 1, 1_024);
        }

        Assert.Equal(Knowledge.Answered, memory.Find(Of(0, 1, 1), out _));
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(1, 1, 1_000), out _));
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(1, 1, 1_001), out _));
        Assert.Equal(Knowledge.Answered, memory.Find(Of(1, 1, 99_999_000), out _));
    }

    [Fact]
    public void Groups_share_the_room_and_each_has_some()
    {
        RequestMemory[] groups = [.. Enumerable.Range(0, 64).Select(_ => new RequestMemory(_room))];
        for (ulong number = 1; number <= 1_000; number++)
        {
            groups[0].Add(Of(0, 1, number), 0, Fine);
        }

        for (ulong number = 1; number <= 1_000; number++)
        {
            foreach (RequestMemory group in groups)
            {
                group.Add(Of(0, 1, 1_000 + number), 0, Fine);
            }

            Assert.InRange(_room.Kept, 500, 1_024 + (64 * 4));
        }

        foreach (RequestMemory group in groups)
        {
            Assert.Equal(Knowledge.Answered, group.Find(Of(0, 1, 2_000), out _));
            Assert.Equal(Knowledge.Forgotten, group.Find(Of(0, 1, 1_001), out _));
            group.Clear();
        }

        Assert.Equal(0, _room.Kept);
    }

    [Fact]
    public void More_askers_than_are_known_apart_are_safe()
    {
        var memory = new RequestMemory(_room);
        const int Askers = RequestMemory.MostAskers + 10;
        for (int asker = 0; asker < Askers; asker++)
        {
            memory.Add(Of(asker, 100 + (ulong)asker, 5), 0, Fine);
        }

        for (int asker = 0; asker < 10; asker++)
        {
            Assert.Equal(Knowledge.Forgotten, memory.Find(Of(asker, 100 + (ulong)asker, 5), out _));
            Assert.Equal(Knowledge.Forgotten, memory.Find(Of(asker, 100 + (ulong)asker, 6), out _));
            Assert.Equal(Knowledge.New, memory.Find(Of(asker, 110, 6), out _));
            Assert.Equal(109ul, memory.RunBefore(Of(asker, 100 + (ulong)asker, 6)));
        }

        Assert.Equal(Knowledge.Answered, memory.Find(Of(Askers - 1, 99 + (ulong)Askers, 5), out _));

        // Others knew this one still, and it was done: what it asked before was perhaps done, too.
        memory.Add(Of(0, 100, 8), 0, Fine);
        Assert.Equal(Knowledge.Answered, memory.Find(Of(0, 100, 8), out _));
        Assert.Equal(Knowledge.Forgotten, memory.Find(Of(0, 100, 7), out _));
        Assert.Equal(Knowledge.New, memory.Find(Of(0, 100, 9), out _));
    }

    [Fact]
    public void It_comes_back_from_bytes_and_adds_to_what_is_known()
    {
        var random = new Random(1);
        for (int run = 0; run < 50; run++)
        {
            (RequestMemory one, RequestMemory other) = (new(_room), new(_room));
            for (int i = 0; i < 200; i++)
            {
                RequestId id = Of(random.Next(5), (ulong)random.Next(1, 4), (ulong)random.Next(1, 60));
                RequestMemory memory = random.Next(2) == 0 ? one : other;
                memory.Add(id, (ulong)random.Next(0, 20), Fine);
            }

            var writer = new WireWriter();
            one.Write(writer);
            for (int length = 0; length < writer.Length; length += 7)
            {
                var cut = new WireReader(writer.Written[..length]);
                new RequestMemory(new AnswerRoom(1_024)).Read(ref cut);
                Assert.True(cut.IsBroken);
            }

            var both = new RequestMemory(_room);
            var reader = new WireReader(writer.Written);
            both.Read(ref reader);
            Assert.False(reader.IsBroken);
            AssertKnows(both, one);
            writer.Clear();
            other.Write(writer);
            reader = new WireReader(writer.Written);
            both.Read(ref reader);
            AssertKnows(both, one);
            AssertKnows(both, other);
        }
    }

    // Whatever the one must not do again, the other must not either.
    private static void AssertKnows(RequestMemory memory, RequestMemory than)
    {
        for (int asker = 0; asker < 5; asker++)
        {
            for (ulong run = 1; run < 4; run++)
            {
                for (ulong number = 1; number < 60; number++)
                {
                    RequestId id = Of(asker, run, number);
                    bool isNew = memory.Find(id, out _) == Knowledge.New;
                    Assert.False(isNew && than.Find(id, out _) != Knowledge.New, $"{id}");
                }
            }
        }
    }

    private static RequestId Of(int asker, ulong run, ulong number) =>
        new(new Coordinate((ushort)(asker % 100), (ushort)(asker / 100), 0), run, number);
}
