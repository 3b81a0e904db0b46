using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// What a group knows of the requests that were done in it: of each that is applied here either the answer, or that it
/// must not be done again. It is part of the group's state: it follows from the log, goes with a state that is
/// fetched, and lies on the disk before the log forgets. It may forget more than others do, never less than is safe:
/// what is forgotten is covered by a mark, and refused. So it is bounded, whoever asks for what. Loop only.
/// </summary>
/// <param name="room">How much may be kept.</param>
internal sealed class RequestMemory(AnswerRoom room) : IKnownRequests<Outcome>
{
    /// <summary>Askers of a group that are known apart. Of those who asked longest ago only the latest run is known.
    /// </summary>
    public const int MostAskers = 1_024;

    private readonly Dictionary<RequestId, Outcome> _outcomes = [];
    private readonly Dictionary<Coordinate, AskerMemory> _askers = [];
    private ulong _seen;
    private ulong _floor;

    /// <summary>Answers that are remembered.</summary>
    public int Count => _outcomes.Count;

    /// <summary>It holds something that was not written since.</summary>
    public bool IsUnwritten { get; private set; }

    /// <inheritdoc/>
    public Knowledge Find(in RequestId id, out Outcome outcome) =>
        _outcomes.TryGetValue(id, out outcome) ? Knowledge.Answered
        : _askers.TryGetValue(id.Asker, out AskerMemory asker)
            ? id.Run < asker.Run || (id.Run == asker.Run && id.Number <= asker.Mark) ? Knowledge.Forgotten
                : Knowledge.New
        : id.Run <= _floor ? Knowledge.Forgotten
        : Knowledge.New;

    /// <summary>The run that a request is behind, so that it was not and will not be done, whoever looks; 0: it is
    /// not.</summary>
    public ulong RunBefore(in RequestId id) =>
        _askers.TryGetValue(id.Asker, out AskerMemory asker)
            ? id.Run < asker.Run
                ? asker.Run
                : 0
            : id.Run <= _floor
                ? _floor
                : 0;

    /// <summary>A request is applied.</summary>
    /// <param name="id">The request.</param>
    /// <param name="closed">Its asker waits for none up to this number.</param>
    /// <param name="outcome">The answer.</param>
    public void Add(in RequestId id, ulong closed, in Outcome outcome)
    {
        // Of an asker that was forgotten any earlier number may have been done.
        bool isForgotten = !_askers.ContainsKey(id.Asker) && id.Run <= _floor;
        ulong mark = isForgotten ? Math.Max(closed, id.Number - 1) : closed;
        Raise(id.Asker, id.Run, mark);
        Keep(id, outcome);
    }

    /// <summary>Adds what another knows.</summary>
    public void Add(RequestMemory other)
    {
        _floor = Math.Max(_floor, other._floor);
        foreach ((Coordinate server, AskerMemory asker) in other._askers.OrderBy(static a => a.Value.Seen))
        {
            Raise(server, asker.Run, asker.Mark);
        }

        foreach ((RequestId id, Outcome outcome) in other._outcomes)
        {
            Keep(id, outcome);
        }
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        room.Kept -= _outcomes.Count;
        _outcomes.Clear();
        _askers.Clear();
        (_seen, _floor, IsUnwritten) = (0, 0, false);
    }

    /// <summary>All of it, for the disk or another member.</summary>
    public void Write(WireWriter writer)
    {
        ILookup<Coordinate, KeyValuePair<RequestId, Outcome>> outcomes = _outcomes.ToLookup(static o => o.Key.Asker);
        writer.ULong(_floor);
        writer.UInt((uint)_askers.Count);
        foreach ((Coordinate server, AskerMemory asker) in _askers.OrderBy(static a => a.Value.Seen))
        {
            writer.Server(server);
            writer.ULong(asker.Run);
            writer.ULong(asker.Mark);
            writer.UInt((uint)asker.Count);
            foreach ((RequestId id, Outcome outcome) in outcomes[server].OrderBy(static o => o.Key.Number))
            {
                writer.ULong(id.Number);
                outcome.Write(writer);
            }
        }
    }

    /// <summary>It is on its way to the disk.</summary>
    public void NoteWritten() => IsUnwritten = false;

    /// <summary>Adds what is known elsewhere, or was.</summary>
    public void Read(ref WireReader reader)
    {
        _floor = Math.Max(_floor, reader.ULong());
        for (uint askers = reader.UInt(); askers > 0 && !reader.IsBroken; askers--)
        {
            Coordinate server = reader.Server();
            ulong run = reader.ULong();
            ulong mark = reader.ULong();
            uint count = reader.UInt();
            if (!reader.IsBroken)
            {
                Raise(server, run, mark);
            }

            for (; count > 0 && !reader.IsBroken; count--)
            {
                ulong number = reader.ULong();
                Outcome outcome = Outcome.Read(ref reader);
                if (!reader.IsBroken)
                {
                    Keep(new RequestId(server, run, number), outcome);
                }
            }
        }
    }

    // A later run of an asker, or a later mark of the same. Nothing goes back.
    private void Raise(Coordinate server, ulong run, ulong mark)
    {
        IsUnwritten = true;
        ref AskerMemory asker = ref CollectionsMarshal.GetValueRefOrAddDefault(_askers, server, out bool isKnown);
        asker.Seen = ++_seen;
        if (!isKnown || run > asker.Run)
        {
            Cover(server, ref asker, ulong.MaxValue);
            (asker.Run, asker.Mark, asker.Highest) = (run, mark, mark);
        }
        else if (run == asker.Run && mark > asker.Mark)
        {
            Cover(server, ref asker, mark);
            asker.Mark = mark;
        }

        if (_askers.Count > MostAskers)
        {
            ForgetAsker();
        }
    }

    // Unless it is covered.
    private void Keep(in RequestId id, in Outcome outcome)
    {
        ref AskerMemory asker = ref CollectionsMarshal.GetValueRefOrNullRef(_askers, id.Asker);
        if (
            Unsafe.IsNullRef(ref asker)
            || asker.Run != id.Run
            || id.Number <= asker.Mark
            || !_outcomes.TryAdd(id, outcome)
        )
        {
            return;
        }

        asker.Highest = Math.Max(asker.Highest, id.Number);
        asker.Count++;
        room.Kept++;
        if (_outcomes.Count > room.OfGroup)
        {
            ForgetHalf();
        }
    }

    // Removes the answers of an asker up to a number.
    private void Cover(Coordinate server, ref AskerMemory asker, ulong mark)
    {
        if (asker.Count == 0)
        {
            return;
        }

        ulong last = Math.Min(mark, asker.Highest);
        if (last - asker.Mark <= 4 * (ulong)_outcomes.Count)
        {
            for (ulong number = asker.Mark + 1; number <= last && asker.Count > 0; number++)
            {
                Remove(new RequestId(server, asker.Run, number), ref asker);
            }

            return;
        }

        // Its numbers lie far apart.
        foreach (RequestId id in _outcomes.Keys)
        {
            if (id.Asker == server && id.Number <= mark)
            {
                Remove(id, ref asker);
            }
        }
    }

    private void Remove(in RequestId id, ref AskerMemory asker)
    {
        if (_outcomes.Remove(id))
        {
            asker.Count--;
            room.Kept--;
        }
    }

    // Half of the answers of whoever has most: who asks for little loses nothing by others.
    private void ForgetHalf()
    {
        Coordinate server = _askers.MaxBy(static a => a.Value.Count).Key;
        ref AskerMemory asker = ref CollectionsMarshal.GetValueRefOrNullRef(_askers, server);
        ulong[] numbers = [.. _outcomes.Keys.Where(id => id.Asker == server).Select(static id => id.Number).Order()];
        ulong mark = numbers[(numbers.Length - 1) / 2];
        Cover(server, ref asker, mark);
        asker.Mark = mark;
    }

    private void ForgetAsker()
    {
        Coordinate server = _askers.MinBy(static a => a.Value.Seen).Key;
        ref AskerMemory asker = ref CollectionsMarshal.GetValueRefOrNullRef(_askers, server);
        Cover(server, ref asker, ulong.MaxValue);
        _floor = Math.Max(_floor, asker.Run);
        _askers.Remove(server);
    }
}
