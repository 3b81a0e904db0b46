using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Requests where they come from: sent to the root of their key, again and again under the same number until somebody
/// has done it or the time is over. Whoever does it finds by the number that it was done before, so there is no harm in
/// asking again. Loop only; the rest of a call runs on the loop whoever awaits it, by its builder.
/// </summary>
internal sealed class AskingSide(
    IServer server,
    KeyValueOptions options,
    MessageChannel<KeyValueHeader> channel,
    KeyValueCounters counters,
    MemberHost host
)
{
    // Values of so many bytes, metadata included, come in memory that is used again.
    private const int PooledBytes = 5 << 10;
    private const int MostPooled = 32;

    // So many times as long as the first attempt others are waited for at most.
    private const int MostPatience = 4;
    private readonly Stack<byte[]> _pool = new();
    private readonly ReplyTable<AttemptReply> _questions = new(server);
    private readonly OpenNumbers _numbers = new();
    private readonly WireWriter _head = new();
    private readonly Dictionary<ulong, (Coordinate Server, byte Attempt, bool IsReturned)> _asked = [];
    private ulong _run = channel.Run;

    /// <summary>Requests that are open.</summary>
    public int Open => _questions.Open;

    /// <summary>Does a request.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> AskAsync(
        Asking asking,
        IBufferWriter<byte>? value = null,
        IBufferWriter<byte>? metadata = null
    )
    {
        AttemptReply said = await FindAsync(asking with { IsReturned = true });
        if (said.Answer.Status == KeyValueStatus.Done)
        {
            metadata?.Write(said.Metadata.Span);
            value?.Write(said.Value.Span);
        }

        Return(said);
        return said.Answer;
    }

    /// <summary>What was said is read, and its bytes may be used again: once, for who asked so.</summary>
    public void Return(in AttemptReply said)
    {
        if (said.Content is { Length: PooledBytes } content && _pool.Count < MostPooled)
        {
            _pool.Push(content);
        }
    }

    /// <summary>Does a request, and gives all that was said to it.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<AttemptReply> FindAsync(Asking asking)
    {
        if (_questions.Open >= options.Requests || !_questions.TryAsk(out Replies<AttemptReply>? asked))
        {
            return new AttemptReply { Answer = new KeyValueAnswer(KeyValueStatus.Unavailable) };
        }

        using Replies<AttemptReply> question = asked;
        bool isChange = asking.Type.IsChange();
        ulong number = isChange ? _numbers.Begin() : 0;
        long began = server.NowNanos;
        (isChange ? counters.Changes : counters.Reads).Add();
        host.Pieces.Pace.Served();
        try
        {
            AttemptReply said = await AskAsync(asking, question, number);
            counters.Unavailable.Add(said.Answer.Status == KeyValueStatus.Unavailable ? 1 : 0);
            counters.Unknown.Add(said.Answer.Status == KeyValueStatus.Unknown ? 1 : 0);
            if (asking.Type != RequestType.Wait)
            {
                (isChange ? counters.ChangeTimes : counters.ReadTimes).Add(server.NowNanos - began);
            }

            return said;
        }
        finally
        {
            _numbers.End(number);
            _asked.Remove(question.Id);
        }
    }

    /// <summary>Somebody says something to a request of this server. False: it cannot be read.</summary>
    public bool OnSaid(in IncomingMessage<KeyValueHeader> message)
    {
        KeyValueHeader header = message.Header;
        if (header.Type == MessageType.Refusal)
        {
            if (message.Content.Length < RefusalContent.Size)
            {
                return false;
            }

            RefusalContent refusal = MemoryMarshal.Read<RefusalContent>(message.Content);
            _questions.TryAdd(
                header.Question,
                new AttemptReply
                {
                    Attempt = header.Attempt,
                    Wait = TimeSpan.FromMicroseconds(refusal.WaitMicros),
                    IsUncertain = refusal.IsUncertain != 0,
                    IsAlone = refusal.IsAlone != 0,
                    Run = refusal.Run,
                }
            );
            return true;
        }

        if (
            !AnswerFormat.TryRead(
                message.Content,
                out KeyValueAnswer answer,
                out bool isInPieces,
                out ReadOnlySpan<byte> metadata,
                out ReadOnlySpan<byte> value
            )
        )
        {
            return false;
        }

        if (_questions.IsOpen(header.Question))
        {
            byte[]? content = null;
            if (metadata.Length + value.Length > 0)
            {
                content = Rent(header.Question, metadata.Length + value.Length);
                metadata.CopyTo(content);
                value.CopyTo(content.AsSpan(metadata.Length));
            }

            _questions.TryAdd(
                header.Question,
                new AttemptReply
                {
                    Attempt = header.Attempt,
                    IsAnswer = true,
                    Answer = answer with { Hops = header.Hops },
                    Source = message.Source,
                    IsInPieces = isInPieces,
                    Content = content,
                    Length = metadata.Length + value.Length,
                    MetadataLength = metadata.Length,
                }
            );
        }

        return true;
    }

    /// <summary>Who is gone now will not answer: others are asked at once.</summary>
    public void OnTopologyChanged()
    {
        foreach ((ulong question, (Coordinate asked, byte attempt, _)) in _asked.ToArray())
        {
            if (!server.Topology.IsReachable(asked))
            {
                _questions.TryAdd(question, new AttemptReply { Attempt = attempt, IsGone = true });
            }
        }
    }

    /// <summary>Whether somebody waits for what begins to arrive.</summary>
    public bool IsWanted(in KeyValueHeader header) => _questions.IsOpen(header.Question);

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<AttemptReply> AskAsync(Asking asking, Replies<AttemptReply> question, ulong number)
    {
        var fates = new AttemptFates();
        TimeSpan time = options.Timeout + asking.Wait + asking.Longer;
        long beganNanos = server.NowNanos,
            endNanos = beganNanos + (long)time.TotalNanoseconds;
        TimeSpan patience = options.Silence;
        ulong run = _run;
        for (byte attempt = 1; ; attempt = AttemptFates.After(attempt))
        {
            long left = endNanos - server.NowNanos;
            if (left <= 0 || server.Stopping.IsCancellationRequested)
            {
                break;
            }

            counters.Retries.Add(attempt > 1 ? 1 : 0);
            question.Clear();
            long untilNanos = server.NowNanos + Math.Min((long)(patience + asking.Wait).TotalNanoseconds, left);
            byte earlier = fates.AreKnown ? (byte)0 : TenthsOf(untilNanos - beganNanos);
            fates.Begin(attempt);
            var header = new KeyValueHeader
            {
                Question = question.Id,
                Attempt = attempt,
                EarlierTenths = earlier,
                Type = MessageType.Request,
            };
            MessageTicket ticket = Send(asking, header, new(server.Coordinate, run, number), left);
            AttemptReply? heard = null;
            while (heard is null && untilNanos > server.NowNanos)
            {
                TimeSpan next = TimeSpan.FromMicroseconds(((untilNanos - server.NowNanos) / 1_000) + 1);
                if (await question.WaitAsync(1, next) != WaitResult.Enough)
                {
                    break;
                }

                AttemptReply said = question.Take(0);
                question.Clear();
                if (!said.IsGone)
                {
                    fates.End(said);
                }

                // That an earlier attempt came to nothing says nothing about this one.
                bool isOver = said.IsAnswer && (number == 0 || !said.IsNothing);
                heard = isOver || said.Attempt == attempt ? said : null;
            }

            channel.Cancel(ticket);
            if (heard is { IsAnswer: true } answer)
            {
                // The first one is refused without an entry: that says nothing about an attempt that came later. Any
                // other is refused for good.
                return number > 0 && answer is { IsNothing: true, Attempt: 1 } && !fates.AreKnown
                    ? new AttemptReply { Answer = new KeyValueAnswer(KeyValueStatus.Unknown) }
                    : answer;
            }

            // Who is slow, because much is asked of it, is not asked for more of the same ever more often.
            patience = heard is null ? Shorter(2 * patience, MostPatience * options.Silence) : options.Silence;
            if (heard is { Run: > 0 } behind)
            {
                // None of this run is done there any more; what nothing was heard of may have been before.
                BeginRun(behind.Run);
                if (!fates.AreKnown)
                {
                    break;
                }

                run = _run;
            }

            if (heard is { IsAlone: true } && (number == 0 || fates.AreKnown))
            {
                // It is for certain that nothing was done; what may have been is asked again, perhaps they come back.
                break;
            }

            if (heard is { } refusal && refusal.Wait > TimeSpan.Zero)
            {
                await server.DelayAsync(Shorter(refusal.Wait, options.Silence));
            }
        }

        // A question is asked again without harm; of a change that somebody may have begun nobody can say more.
        return new AttemptReply
        {
            Answer = new KeyValueAnswer(
                number > 0 && !fates.AreKnown ? KeyValueStatus.Unknown : KeyValueStatus.Unavailable
            ),
        };
    }

    private static TimeSpan Shorter(TimeSpan a, TimeSpan b) => a < b ? a : b;

    private static byte TenthsOf(long nanos) =>
        (byte)Math.Clamp((nanos + 99_999_999) / 100_000_000, KeyValueHeader.LeastTenths, byte.MaxValue);

    private byte[] Rent(ulong question, int length) =>
        length > PooledBytes || !_asked.TryGetValue(question, out var asked) || !asked.IsReturned ? new byte[length]
        : _pool.TryPop(out byte[]? pooled) ? pooled
        : new byte[PooledBytes];

    // This server asked under a later run before it began anew: its clock is behind. By chance so far behind that, that
    // nothing under the new run is still on its way, however often this happens.
    private void BeginRun(ulong behind)
    {
        if (_run <= behind)
        {
            uint more = 0;
            server.Random.FillSecret(MemoryMarshal.AsBytes(new Span<uint>(ref more)));

            // The simulator's secrets are the same after each start; the first run of a start is not.
            _run = behind + 1 + (more ^ (uint)((channel.Run * 0x9E3779B97F4A7C15UL) >> 32));
        }
    }

    private MessageTicket Send(in Asking asking, KeyValueHeader header, in RequestId id, long leftNanos)
    {
        Key key = asking.Group?.KeyIn(server.Shape) ?? KeyRoute.Of(asking.Key.Table, asking.Key.Bytes.Span);
        header.Key = key;
        var request = new RequestContent
        {
            Type = asking.Type,
            Table = asking.Key.Table,
            Condition = asking.Condition,
            Id = id,
            Closed = _numbers.Closed,
            IsInPieces = asking.IsInPieces,
            Number =
                asking.Type == RequestType.Wait
                    ? (ulong)Math.Min(asking.Wait.TotalMicroseconds, leftNanos / 1_000)
                    : (ulong)asking.Number,
            Expires = Lifetime.Of(asking.Expires),
            Key = asking.Key.Bytes.Span,
            Metadata = asking.Metadata.Span,
        };
        _head.Clear();
        RequestFormat.Write(_head, request);

        // Who is a member itself knows who leads; all others ask the root, which is a member as long as it can be.
        Member? member = host.Find(GroupId.Of(asking.Key.Table, key, server.Shape));
        Coordinate? led = member?.Leader is { } leader && server.Topology.IsReachable(leader) ? leader : null;
        _asked[header.Question] = (led ?? server.Topology.RootOf(key), header.Attempt, asking.IsReturned);
        Destination to = led is { } known ? known : key;
        return channel.Send(header, _head.Written, asking.Value, to);
    }
}
