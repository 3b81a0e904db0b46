using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Roots;

/// <summary>
/// What a server does as the root of keys (HPDC §5.1): reads and changes its items, once per request, and answers. Loop
/// only.
/// </summary>
internal sealed class RootSide(
    IServer server,
    MessageChannel<CacheHeader> channel,
    ItemStore store,
    CommandRunner runner,
    Holdings<ItemGroup> holdings,
    FlushMoment flush,
    RememberedAnswers<CacheReply> answers,
    LeaseTable leases,
    ChangeGate gate,
    Leases lease,
    CacheClock clock,
    CacheCounters counters
)
{
    private readonly CacheClock _clock = clock;
    private readonly RootAnswers _answering = new(server, channel);
    private readonly Refuser<CacheHeader> _refuser = new(server, channel);
    private readonly RootDoor<CacheReply> _door = new(server, channel.Run, answers);

    /// <summary>What it does for keys that the key-value store keeps. Set once, before the first packet.</summary>
    public BackedRoot Backed { get; set; } = null!;

    /// <summary>The tick by which items expire.</summary>
    public uint Now => _clock.Seconds;

    /// <summary>A request of this very server: no packets. Reply and value count only if the answer is Ready.</summary>
    public Readiness TryRun(
        Key memId,
        in CacheTerms terms,
        ReadOnlySpan<byte> clientKey,
        ReadOnlySpan<byte> value,
        bool isTooLarge,
        out CacheReply reply,
        out ItemValue read,
        out long waitNanos
    )
    {
        (reply, read) = (default, default);
        flush.RunDue();
        bool changes = RequestRules.Changes(terms);
        Readiness readiness = holdings.Check(memId, changes, out Holding<ItemGroup>? holding, out waitNanos);
        if (holding is null)
        {
            return readiness;
        }

        if (changes && gate.MustWait(memId))
        {
            return Readiness.Busy;
        }

        var command = new Command
        {
            Terms = _clock.Translate(terms),
            Hash = store.HashOf(clientKey),
            Group = holding.Held,
            ClientKey = clientKey,
            Value = isTooLarge ? default : value,
            IsTooLarge = isTooLarge,
        };
        reply = runner.Run(command, _clock.Seconds, out read);
        return Readiness.Ready;
    }

    /// <summary>The same, with the value written where the request says.</summary>
    public Readiness TryRun(
        Key memId,
        in CacheRequest request,
        bool isTooLarge,
        out CacheReply reply,
        out long waitNanos
    )
    {
        Readiness readiness = TryRun(
            memId,
            request.Terms,
            request.Key.Span,
            request.Value.Span,
            isTooLarge,
            out reply,
            out ItemValue read,
            out waitNanos
        );
        if (read.IsThere && !ValueWriter.TryWrite(request.Into, read))
        {
            reply = new CacheReply(CacheStatus.Unavailable);
        }

        return readiness;
    }

    /// <summary>A read of another server.</summary>
    public void OnRead(in Asked<CacheHeader> asked)
    {
        CacheHeader header = asked.Header;
        if ((header.Flags & RequestRules.Backed) != 0)
        {
            Backed.OnRead(asked);
            return;
        }

        ReadOnlySpan<byte> clientKey = asked.Content;
        Readiness readiness = CheckRead(header.MemId, out Holding<ItemGroup>? holding, out long waitNanos);
        if (holding is null)
        {
            _refuser.Refuse(asked, readiness, waitNanos);
            return;
        }

        Command command = ReadOf(header, RequestRules.ReadOptions, clientKey, holding);
        if (command.Has(CacheTermOptions.WinStale) && runner.WouldWin(command, _clock.Seconds))
        {
            _refuser.Refuse(asked, RefusalReason.ComeAsChange, 0);
            return;
        }

        CacheReply reply = runner.Run(command, _clock.Seconds, out ItemValue value);
        _answering.Reply(asked, reply, value);
    }

    /// <summary>A read of another server's client through a server that does not have a copy, and may get
    /// one.</summary>
    public void OnFetch(in Asked<CacheHeader> asked)
    {
        CacheHeader header = asked.Header;
        if ((header.Flags & RequestRules.Backed) != 0)
        {
            Backed.OnRead(asked);
            return;
        }

        var copy = new CopyHead { Fetch = MemoryMarshal.Read<FetchHead>(asked.Content) };
        Readiness readiness = CheckRead(header.MemId, out Holding<ItemGroup>? holding, out long waitNanos);
        if (holding is null)
        {
            _refuser.Refuse(asked, copy.Fetch.Asker, readiness, waitNanos);
            return;
        }

        ReadOnlySpan<byte> clientKey = asked.Content[FetchHead.Size..];
        Command command = ReadOf(header, RequestRules.PlainOptions, clientKey, holding);
        CacheReply reply = runner.Run(command, _clock.Seconds, out ItemValue value);
        if (reply.Status == CacheStatus.Done && asked.Source != server.Coordinate && gate.MayCopy(header.MemId))
        {
            copy.LeaseNanos = Lease(header.MemId, asked.Source, reply.Facts);
        }

        copy.FlushStamp = flush.DoneStamp;
        copy.Fetch.IsSame = 0;
        if (reply.Status == CacheStatus.Done && reply.Cas == copy.Fetch.HasCas && reply.Cas != 0)
        {
            // A token is of one value only, on any server and in any run.
            copy.Fetch.IsSame = 1;
            value = default;
        }

        _answering.Copy(asked, copy, clientKey, reply, value);
    }

    /// <summary>A change of another server.</summary>
    public void OnChange(in Asked<CacheHeader> asked)
    {
        CacheHeader header = asked.Header;
        ChangeHead head = MemoryMarshal.Read<ChangeHead>(asked.Content);
        Command command = Parse(asked, head);
        RequestId id = asked.IdOf(head.Call.Number);
        bool isRead = RequestRules.IsRead(command.Terms.Operation);
        Knowledge knowledge = _door.Look(id, head.Call, head.Root, out CacheReply earlier, out RefusalReason refusal);
        if (knowledge == Knowledge.Answered && !isRead)
        {
            counters[CacheCount.RepeatedAnswers].Add();
            _answering.Reply(asked, earlier, default);
            return;
        }

        if (refusal != RefusalReason.None)
        {
            _refuser.Refuse(asked, refusal, 0);
            return;
        }

        if (header.Code == RequestRules.EndCopies)
        {
            EndCopies(asked, command.ClientKey);
            return;
        }

        flush.RunDue();
        bool changes = RequestRules.Changes(command.Terms);
        Readiness readiness = holdings.Check(
            header.MemId,
            changes,
            out Holding<ItemGroup>? holding,
            out long waitNanos
        );
        if (holding is null)
        {
            _refuser.Refuse(asked, readiness, waitNanos);
            return;
        }

        if (changes && gate.MustWait(header.MemId))
        {
            if (!gate.TryWait(asked))
            {
                _refuser.Refuse(asked, Readiness.Busy, lease.WaitNanos);
            }

            return;
        }

        command = command.At(store.HashOf(command.ClientKey), holding.Held, _clock);
        if (knowledge == Knowledge.Answered && TryRepeatRead(asked, command, earlier))
        {
            return;
        }

        CacheReply reply = runner.Run(command, _clock.Seconds, out ItemValue value);
        if (knowledge == Knowledge.Answered)
        {
            answers.Replace(id, reply);
        }
        else if (!isRead || (reply.Facts.Marks & CacheItemMarks.HasWon) != 0)
        {
            // A value that was read is not kept: doing it again gives the same, unless it won.
            answers.Add(id, reply, server.NowNanos);
        }

        _answering.Reply(asked, reply, value);
    }

    // Doing it again is harmless, so its answer is not kept.
    private void EndCopies(in Asked<CacheHeader> asked, ReadOnlySpan<byte> clientKey)
    {
        Readiness readiness = Backed.TryEndCopies(asked.Header.MemId, clientKey, out long waitNanos);
        if (readiness == Readiness.Ready)
        {
            _answering.Reply(asked, new CacheReply(CacheStatus.Done), default);
        }
        else if (readiness != Readiness.Busy)
        {
            _refuser.Refuse(asked, readiness, waitNanos);
        }
        else if (!gate.TryWait(asked))
        {
            _refuser.Refuse(asked, Readiness.Busy, lease.WaitNanos);
        }
    }

    private Readiness CheckRead(Key memId, out Holding<ItemGroup>? holding, out long waitNanos)
    {
        flush.RunDue();
        return holdings.Check(memId, changes: false, out holding, out waitNanos);
    }

    private Command ReadOf(
        in CacheHeader header,
        CacheTermOptions allowed,
        ReadOnlySpan<byte> clientKey,
        Holding<ItemGroup> holding
    ) =>
        new()
        {
            Terms = new CacheTerms
            {
                Operation = (CacheOperation)header.Code,
                Options = (CacheTermOptions)header.Flags & allowed,
            },
            Hash = store.HashOf(clientKey),
            Group = holding.Held,
            ClientKey = clientKey,
        };

    // A read that won before: with the value that is still there and the old marks, for a second try would hear that
    // somebody has won. If nothing is left of the item, nothing is left of the win, and the read is done anew; also
    // where there are no tokens to tell.
    private bool TryRepeatRead(in Asked<CacheHeader> asked, in Command command, in CacheReply earlier)
    {
        var again = new Command
        {
            Terms = new CacheTerms
            {
                Operation = CacheOperation.Get,
                Options = (command.Terms.Options & CacheTermOptions.WithoutValue) | CacheTermOptions.KeepAge,
            },
            Hash = command.Hash,
            Group = command.Group,
            ClientKey = command.ClientKey,
        };
        CacheReply reply = runner.Run(again, _clock.Seconds, out ItemValue value);
        if (reply.Status != CacheStatus.Done || reply.Cas != earlier.Cas || reply.Cas == 0)
        {
            return false;
        }

        counters[CacheCount.RepeatedAnswers].Add();
        CacheItemFacts facts = reply.Facts with
        {
            Marks = earlier.Facts.Marks,
            IdleSeconds = earlier.Facts.IdleSeconds,
        };
        _answering.Reply(asked, reply with { Facts = facts }, value);
        return true;
    }

    // An item's end ends its copies: the lease is never longer than what is left of its life on this server's clock.
    private long Lease(Key memId, Coordinate holder, in CacheItemFacts facts)
    {
        long nanos = facts.SecondsLeft < 0 ? lease.Nanos : Math.Min(lease.Nanos, _clock.NanosUntil(facts.SecondsLeft));
        return
            nanos > 2 * lease.DriftNanos
            && facts.Length <= lease.LargestValue
            && leases.TryGrant(memId, holder, server.NowNanos + nanos + lease.DriftNanos, server.NowNanos)
            ? nanos
            : 0;
    }

    private static Command Parse(in Asked<CacheHeader> asked, in ChangeHead head)
    {
        CacheHeader header = asked.Header;
        ReadOnlySpan<byte> content = asked.Content;
        return new Command
        {
            Terms = new CacheTerms
            {
                Operation = (CacheOperation)header.Code,
                Options = (CacheTermOptions)head.Options,
                Flags = header.Flags,
                Expiry = head.Expiry,
                Cas = head.Cas,
                Delta = head.Delta,
                Initial = head.Initial,
                VivifyExpiry = head.VivifyExpiry,
                RecacheSeconds = head.RecacheSeconds,
            },
            ClientKey = content.Slice(ChangeHead.Size, header.KeyLength),
            Value = content[(ChangeHead.Size + header.KeyLength)..],
            IsTooLarge = head.IsTooLarge != 0,
        };
    }
}
