using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Requests;

/// <summary>
/// Brings operations to the roots of their keys and answers back, with time-outs and retries inside. Reads and plain
/// sets go on until some root has done them; other changes are done at most once (docs/cache.md, "At most once"). Loop
/// only.
/// </summary>
internal sealed class AskingSide
{
    private const long NotCutOff = -1;
    private const int CutOffLooks = 8;
    private readonly IServer _server;
    private readonly CacheOptions _options;
    private readonly MessageChannel<CacheHeader> _channel;
    private readonly RootSide _root;
    private readonly ChangeGate _gate;
    private readonly CacheCounters _counters;
    private readonly KnownRoots _known = new();
    private readonly AttemptSender _sender;
    private readonly ReplyTable<Answer> _questions;
    private readonly long _timeoutNanos;
    private ulong _requests;
    private long _cutOffNanos = NotCutOff;

    public AskingSide(
        IServer server,
        CacheOptions options,
        MessageChannel<CacheHeader> channel,
        RootSide root,
        HolderSide holder,
        LookupWays ways,
        ChangeGate gate,
        CacheCounters counters
    )
    {
        (_server, _options, _channel, _root, _counters) = (server, options, channel, root, counters);
        _gate = gate;
        _sender = new AttemptSender(server, options, channel, holder, ways, _known);
        holder.TakeAnswer = TakeAnswer;
        _questions = new ReplyTable<Answer>(server, discard: static a => a.Content.Return());
        _timeoutNanos = (long)options.Timeout.TotalNanoseconds;
    }

    /// <summary>Operations that wait for an answer.</summary>
    public int Open => _questions.Open;

    /// <summary>Does an operation wherever its root is; a value that is read is written to the request's
    /// writer.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<CacheReply> ExecuteAsync(Key memId, CacheRequest request, bool isTooLarge)
    {
        if (!_questions.TryAsk(out Replies<Answer>? asked))
        {
            return new CacheReply(CacheStatus.Unavailable);
        }

        using Replies<Answer> question = asked;
        var attempts = new Attempts
        {
            IsRepeatable = RequestRules.IsRepeatable(request.Terms, isTooLarge),
            GoesAsChange = RequestRules.GoesAsChange(request.Terms),
            Request = ++_requests,
            BegunNanos = _server.NowNanos,
        };
        long endNanos = _server.NowNanos + AttemptSender.MostNanos(_options, request.Value.Length);
        for (int attempt = 0; _server.NowNanos < endNanos && !_server.Stopping.IsCancellationRequested; )
        {
            if (!_server.Topology.HasMajority)
            {
                if (
                    RequestRules.IsRead(request.Terms.Operation)
                    || _server.NowNanos - CutOffSince() >= AttemptSender.MostNanos(_options, 0)
                )
                {
                    return GiveUp(request, attempts, CacheStatus.Unavailable);
                }

                // Most often a pause of this server made its neighbours think that it is lost, and is over.
                await _server.DelayAsync(_options.Timeout / CutOffLooks);
                continue;
            }

            _cutOffNanos = NotCutOff;
            _counters[CacheCount.Retries].Add(++attempt > 1 ? 1 : 0);
            if (!attempts.ChooseRoot(memId, _server.Topology, _known, _server.NowNanos))
            {
                return new CacheReply(CacheStatus.TimedOut);
            }

            long pauseNanos;
            if (attempts.Root == _server.Coordinate)
            {
                Readiness readiness = _root.TryRun(memId, request, isTooLarge, out CacheReply reply, out pauseNanos);
                if (readiness == Readiness.Ready)
                {
                    NoteLookup(request, 0);
                    return reply;
                }

                if (readiness == Readiness.HasCopies)
                {
                    await _gate.WaitAsync(memId, endNanos - _server.NowNanos);
                    pauseNanos = 0;
                }

                attempts.NoteWait();
            }
            else
            {
                MessageTicket ticket = _sender.Send(
                    memId,
                    request,
                    isTooLarge,
                    question.Id,
                    (byte)attempt,
                    ref attempts,
                    out long untilNanos
                );
                Answer answer = await AwaitAnswerAsync(question, memId, (byte)attempt, untilNanos, endNanos);
                _channel.Cancel(ticket);
                if (!answer.IsThere)
                {
                    attempts.NoteSilence();
                    continue;
                }

                if (answer.Refusal == 0)
                {
                    NoteLookup(request, answer.Hops);
                    return Finish(request, answer);
                }

                _counters[CacheCount.Refusals].Add();
                if (!attempts.NoteRefusal(answer, _server.NowNanos, out pauseNanos))
                {
                    return new CacheReply(CacheStatus.TimedOut);
                }

                if (answer.Refusal == RefusalReason.Forgotten)
                {
                    // Doing a set again is harmless, with a number that is not too old.
                    attempts.Request = ++_requests;
                }
            }

            if (pauseNanos > 0)
            {
                await _server.DelayAsync(TimeSpan.FromMicroseconds((Math.Min(pauseNanos, _timeoutNanos) / 1_000) + 1));
            }
        }

        bool isAlone = _server.Stopping.IsCancellationRequested || !_server.Topology.HasMajority;
        return GiveUp(request, attempts, isAlone ? CacheStatus.Unavailable : CacheStatus.TimedOut);
    }

    /// <summary>An answer or a refusal of a root.</summary>
    public void OnAnswer(in IncomingMessage<CacheHeader> message)
    {
        bool isRefusal = message.Header.Kind == (byte)PacketKind.Refusal;
        var answer = new Answer
        {
            IsThere = true,
            MemId = message.Header.MemId,
            Attempt = message.Header.Attempt,
            From = message.Source,
        };
        if (isRefusal)
        {
            RefusalHead head = MemoryMarshal.Read<RefusalHead>(message.Content);
            _known.Learn(message.Source, head.Run, head.NowNanos, _server.NowNanos);
            answer.Refusal = (RefusalReason)
                Math.Clamp(message.Header.Code, (byte)RefusalReason.NotRoot, (byte)RefusalReason.ComeAsChange);
            (answer.Run, answer.UptimeNanos, answer.WaitNanos) = (head.Run, head.UptimeNanos, head.WaitNanos);
        }
        else
        {
            ReadHead(message.Header, message.Content, ref answer);
        }

        if (_questions.IsOpen(message.Header.Question))
        {
            if (!isRefusal)
            {
                answer.Content = _channel.TakeContent(message);
            }

            _questions.TryAdd(message.Header.Question, answer);
        }
    }

    /// <summary>Whether an answer that begins to arrive is still wanted.</summary>
    public bool IsWanted(in CacheHeader header) => _questions.IsOpen(header.Question);

    /// <summary>The view changed.</summary>
    public void OnTopologyChanged()
    {
        if (_server.Topology.HasMajority)
        {
            _cutOffNanos = NotCutOff;
        }
        else
        {
            CutOffSince();
        }
    }

    /// <summary>A server was lost: what was known about its run is void.</summary>
    public void OnServerLost(Coordinate server) => _known.Forget(server);

    // The answer of a root that came with a copy for this server: its content is part of a longer one.
    private void TakeAnswer(in CacheHeader header, Coordinate source, ReadOnlySpan<byte> content)
    {
        var answer = new Answer
        {
            IsThere = true,
            MemId = header.MemId,
            Attempt = header.Attempt,
            From = source,
        };
        ReadHead(header, content, ref answer);
        if (_questions.IsOpen(header.Question))
        {
            answer.Content = OwnedBytes.CopyOf(content);
            _questions.TryAdd(header.Question, answer);
        }
    }

    private void ReadHead(in CacheHeader header, ReadOnlySpan<byte> content, ref Answer answer)
    {
        AnswerHead head = MemoryMarshal.Read<AnswerHead>(content);
        _known.Learn(answer.From, head.Run, head.NowNanos, _server.NowNanos);
        (answer.Run, answer.Hops) = (head.Run, _server.Topology.HopsTo(answer.From) + head.Hops);
        answer.Reply = new CacheReply((CacheStatus)header.Code, header.Flags, head.Cas, head.Number)
        {
            Facts = head.Facts,
        };
    }

    // When this server lost sight of the majority; the first who asks may notice it before the services hear.
    private long CutOffSince() => _cutOffNanos == NotCutOff ? _cutOffNanos = _server.NowNanos : _cutOffNanos;

    private void NoteLookup(in CacheRequest request, int hops)
    {
        if (request.Terms.Operation == CacheOperation.Get)
        {
            _counters.AddLookup(hops);
        }
    }

    private static bool IsAnswerTo(ulong question, CacheHeader header) =>
        header.Kind == (byte)PacketKind.Answer && header.Question == question;

    private static CacheReply GiveUp(in CacheRequest request, in Attempts attempts, CacheStatus status)
    {
        if (RequestRules.IsRead(request.Terms.Operation))
        {
            // Cut off, it cannot be known what the value is: a cache may always miss.
            return new CacheReply(status == CacheStatus.Unavailable ? CacheStatus.NotFound : status);
        }

        return new CacheReply(attempts.IsUncertain ? CacheStatus.TimedOut : status);
    }

    private static CacheReply Finish(in CacheRequest request, in Answer answer)
    {
        bool isWritten =
            answer.Reply.Status != CacheStatus.Done
            || ValueWriter.TryWrite(request.Into, answer.Content.Span[AnswerHead.Size..]);
        answer.Content.Return();
        return isWritten ? answer.Reply : new CacheReply(CacheStatus.Unavailable);
    }

    // The answer to this attempt, or to an earlier one if that says that it was done. A large value that is on its way
    // is waited for.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<Answer> AwaitAnswerAsync(
        Replies<Answer> question,
        Key memId,
        byte attempt,
        long untilNanos,
        long endNanos
    )
    {
        for (; ; )
        {
            long leftMicros = ((untilNanos - _server.NowNanos) / 1_000) + 1;
            WaitResult waited = await question.WaitAsync(1, TimeSpan.FromMicroseconds(leftMicros));
            if (waited == WaitResult.Enough)
            {
                Answer answer = question.Take(0);
                question.Clear();
                if (answer.MemId == memId && (answer.Refusal == 0 || answer.Attempt == attempt))
                {
                    return answer;
                }

                answer.Content.Return();
            }
            else if (
                waited == WaitResult.TimedOut
                && _server.NowNanos < endNanos
                && _channel.IsArriving(question.Id, IsAnswerTo)
            )
            {
                untilNanos = _server.NowNanos + _timeoutNanos;
            }
            else
            {
                return default;
            }
        }
    }
}
