using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Recovery;

/// <summary>
/// Sends states: of each key of a group the last change that is applied, if the asker lacks it, in parts as they are
/// asked for. What is changed meanwhile is sent as it is then; its index is behind that of the state, so it comes once
/// more with the log. Loop only.
/// </summary>
internal sealed class StateSource(
    IServer server,
    MessageChannel<KeyValueHeader> channel,
    MemberHost host,
    KeyValueCounters counters,
    TimeSpan idle
)
{
    /// <summary>Bytes of records after which a part ends.</summary>
    public const int PartBytes = 256 << 10;

    private readonly Dictionary<(Coordinate, GroupId), StateSession> _sessions = [];

    /// <summary>States that are being sent.</summary>
    public int Open => _sessions.Count;

    /// <summary>Another server asks for a part. False: it cannot be read.</summary>
    public bool OnAsk(Coordinate from, ReadOnlySpan<byte> content)
    {
        if (content.Length < StateAsk.Size)
        {
            return false;
        }

        Sweep();
        StateAsk ask = MemoryMarshal.Read<StateAsk>(content);
        Member? member = host.IsOpen ? host.Find(new GroupId(ask.Group)) : null;
        (Coordinate, GroupId) name = (from, new GroupId(ask.Group));
        if (!_sessions.TryGetValue(name, out StateSession? session) || session.Session != ask.Session)
        {
            session = member is not null && ask.Cursor == 0 ? Begin(member, ask) : null;
            if (session is null)
            {
                Refuse(from, ask);
                return true;
            }

            if (_sessions.TryGetValue(name, out StateSession? before))
            {
                channel.Cancel(before.Sent);
            }

            _sessions[name] = session;
        }

        session.UsedNanos = server.NowNanos;
        bool isOnItsWay = session.SentFrom == ask.Cursor && channel.IsSending(session.Sent);
        if (!session.IsBusy && !isOnItsWay && ask.Cursor <= session.Count)
        {
            session.IsBusy = true;
            server.Loop.Run(() => SendPart(from, session, ask.Cursor));
        }

        return true;
    }

    private StateSession? Begin(Member member, in StateAsk ask)
    {
        GroupState state = member.State;
        if (state.Epoch is not { } epoch || !IsOf(epoch, ask) || !state.HasEnd || state.IsDropped)
        {
            return null;
        }

        if (member.Settling > 0 && host.Mistake != PlantedMistake.GivesHalf)
        {
            // It was fetched a moment ago, and who asked for it now would get less.
            return null;
        }

        ulong last = Math.Max(member.Shown, state.EpochIndex);
        if (last < state.BaseIndex || (last > member.Shown && !member.Tail.Has(member.Shown + 1)))
        {
            return null;
        }

        GroupMarks marks = state.BaseMarks;
        for (ulong index = state.BaseIndex + 1; index <= last; index++)
        {
            marks = marks.After(state.EntryAt(index));
        }

        Ballot ballot = state.BallotAt(last);
        ulong after = ask.From;
        UInt128[] keys =
        [
            .. host
                .Index.Of(member.Id.Number)
                .Where(e => IndexOf(e.Value.Version) > after)
                .Select(static e => e.Key)
                .Order(),
        ];
        var runs = new BallotRuns();
        runs.Take(member.Runs);
        List<(TailEntry Entry, int Record)> open = [];
        for (ulong index = member.Shown + 1; index <= last; index++)
        {
            TailEntry entry = member.Tail[index];
            runs.Add(index, entry.Entry.Ballot);
            for (int record = 0; entry.Operation is not null && record < entry.Records; record++)
            {
                open.Add((entry, record));
            }
        }

        // What lies behind what is shown is known to be committed, and was done.
        var requests = new RequestMemory(new AnswerRoom(int.MaxValue));
        requests.Add(member.Requests);
        foreach ((TailEntry entry, _) in open.Where(static o => o.Record == 0))
        {
            Operation operation = entry.Operation!;
            requests.Add(operation.Request, operation.Closed, operation.OutcomeOf(entry.Version));
        }

        var known = new WireWriter();
        requests.Write(known);
        return new StateSession(ask.Session, keys, [.. open])
        {
            Runs = runs,
            Requests = known.Written.ToArray(),
            Head = new StateChunk
            {
                Group = ask.Group,
                Epoch = ask.Epoch,
                Session = ask.Session,
                Index = last,
                Generation = ballot.Generation,
                BallotEpoch = ballot.Epoch,
                Term = ballot.Term,
                Away = marks.Away,
                Whole = marks.Whole,
            },
        };
    }

    private static bool IsOf(GroupEpoch epoch, in StateAsk ask) =>
        epoch.Number == ask.Epoch && epoch.Generation == ask.Generation;

    private async ValueTask SendPart(Coordinate to, StateSession session, uint cursor)
    {
        var writer = new WireWriter();
        uint next = cursor;
        int records = 0;
        bool isRead = true;
        while (next < session.Count && writer.Length < PartBytes && records < ushort.MaxValue && isRead)
        {
            int before = writer.Length;
            if (next < session.Keys.Length)
            {
                isRead = await Add(writer, session.Keys[next], session.Head.Group);
            }
            else
            {
                Add(writer, session.Open[next - session.Keys.Length]);
            }

            next += isRead ? 1u : 0;
            records += writer.Length > before ? 1 : 0;
        }

        session.IsBusy = false;
        if (!isRead && next == cursor)
        {
            // The asker asks again, or asks another.
            return;
        }

        if (next == session.Count)
        {
            session.Runs.Write(writer);
            writer.Bytes(session.Requests);
        }

        StateChunk head = session.Head;
        head.Cursor = cursor;
        head.Next = next < session.Count ? next : 0;
        head.Count = (ushort)records;
        head.Length = (uint)writer.Length;
        counters.GivenBytes.Add(writer.Length);
        channel.Cancel(session.Sent);
        (session.Sent, session.SentFrom) = (Send(to, head, writer.Written), cursor);
    }

    // What the key has now; nothing if it went meanwhile. False: it cannot be read.
    private async ValueTask<bool> Add(WireWriter writer, UInt128 key, uint group)
    {
        while (host.Index.TryGet(group, key, out IndexEntry entry))
        {
            byte[] buffer = GC.AllocateUninitializedArray<byte>(entry.Location.Length);
            LogRead read = await host.LogOf(group)!.ReadAsync(entry.Location, buffer);
            if (read is { Status: DiskStatus.Done, IsRotten: false })
            {
                StateRecordFormat.Write(writer, read.Record, read.Key.Span, read.Extra.Span, read.Value.Span);
                return true;
            }

            bool isStill = host.Index.TryGet(group, key, out IndexEntry now) && now.Location == entry.Location;
            if (isStill && !await host.StateDuty.MendAsync(group, key))
            {
                return false;
            }
        }

        return true;
    }

    private static void Add(WireWriter writer, (TailEntry Entry, int Record) open)
    {
        TailEntry entry = open.Entry;
        Operation operation = entry[open.Record]!;
        var head = new LogRecord
        {
            Kind = (byte)RecordKind.Operation,
            Flags = OperationFormat.FlagsOf(operation),
            Index = entry.Index,
            Generation = entry.Entry.Ballot.Generation,
            Epoch = entry.Entry.Ballot.Epoch,
            Term = entry.Entry.Ballot.Term,
            Expires = operation.Expires,
            Version = entry.Version,
        };
        var extra = new WireWriter();
        OperationFormat.WriteExtra(extra, operation);
        StateRecordFormat.Write(writer, head, operation.Key, extra.Written, operation.Value);
    }

    private void Refuse(Coordinate to, in StateAsk ask) =>
        Send(to, new StateChunk { Group = ask.Group, Session = ask.Session }, default);

    private MessageTicket Send(Coordinate to, in StateChunk head, ReadOnlySpan<byte> records)
    {
        byte[] content = new byte[StateChunk.Size + records.Length];
        MemoryMarshal.Write(content, in head);
        records.CopyTo(content.AsSpan(StateChunk.Size));
        var header = new KeyValueHeader { Type = MessageType.StateChunk, Question = head.Session };
        return channel.Send(header, default, content, to);
    }

    private void Sweep()
    {
        long before = server.NowNanos - (long)idle.TotalNanoseconds;
        foreach (((Coordinate, GroupId) name, StateSession session) in _sessions)
        {
            if (session.UsedNanos < before && !session.IsBusy)
            {
                _sessions.Remove(name);
            }
        }
    }

    private static ulong IndexOf(ulong version) => version & ((1UL << 40) - 1);
}
