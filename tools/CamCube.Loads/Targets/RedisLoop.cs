using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using CamCube.Linux;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Resp;
using CamCube.Loads.Settings;

namespace CamCube.Loads.Targets;

/// <summary>
/// Some connections to servers that speak Redis, on one thread: sends what is due on connections with room, and notes
/// what comes back. In the steady state it allocates nothing for an operation.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class RedisLoop : ILoadLoop
{
    private const long LookNanos = 50_000_000,
        RetryNanos = 100_000_000;
    private readonly LoadOptions _options;
    private readonly LoadCourse _course;
    private readonly LoadSource _source;
    private readonly RecordNames _names;
    private readonly Poller _poller;
    private readonly RedisLink[] _links;
    private readonly int[] _room;
    private readonly long _patienceNanos;
    private int _roomFirst;
    private int _roomCount;
    private int _onTheirWay;
    private long _openNanos;

    /// <summary>A loop.</summary>
    /// <param name="options">How much of what.</param>
    /// <param name="endpoints">The servers.</param>
    /// <param name="first">The number of its first connection among all.</param>
    /// <param name="connections">How many it has.</param>
    /// <param name="course">When operations begin.</param>
    /// <param name="source">What is asked.</param>
    /// <param name="names">Keys and values.</param>
    /// <param name="socketOf">Makes a socket for one of the servers; null: an ordinary one.</param>
    public RedisLoop(
        LoadOptions options,
        IReadOnlyList<EndPoint> endpoints,
        int first,
        int connections,
        LoadCourse course,
        LoadSource source,
        RecordNames names,
        Func<int, Socket>? socketOf = null
    )
    {
        (_options, _course, _source, _names) = (options, course, source, names);
        _patienceNanos = options.Patience.Ticks * 100;
        _poller = new Poller(connections);
        _room = new int[connections];
        _links =
        [
            .. Enumerable
                .Range(0, connections)
                .Select(i => new RedisLink(_poller, i, endpoints, first + i, options.Pipeline, socketOf)),
        ];
    }

    /// <inheritdoc/>
    public LoadTally Tally { get; } = new();

    /// <inheritdoc/>
    public bool IsGone { get; private set; }

    /// <inheritdoc/>
    public void Run()
    {
        Poller.BeExact();
        long now = LoadClock.Nanos,
            look = now;
        _openNanos = now;
        foreach (RedisLink link in _links)
        {
            Begin(link, now);
        }

        while (true)
        {
            now = LoadClock.Nanos;
            LoadTurn turn = SendDue(now, out long dueNanos);
            if (turn == LoadTurn.Over && _onTheirWay == 0)
            {
                return;
            }

            long until = turn == LoadTurn.Later ? Math.Min(dueNanos, look) : look;
            int events = _poller.Wait(Math.Max(until - LoadClock.Nanos, 0));
            for (int i = 0; i < events; i++)
            {
                if (_poller.TryGet(i, out int key, out PollEvents seen))
                {
                    Serve(_links[key], seen);
                }
            }

            if ((now = LoadClock.Nanos) >= look)
            {
                look = now + LookNanos;
                LookAtAll(now);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (RedisLink link in _links)
        {
            link.Close();
        }

        _poller.Dispose();
    }

    private void Begin(RedisLink link, long now)
    {
        if (!link.Connect(now))
        {
            link.TimeNanos = now + RetryNanos;
        }
    }

    // As many as are due and have room. Those with room are asked in turn.
    private LoadTurn SendDue(long now, out long dueNanos)
    {
        dueNanos = long.MaxValue;
        while (_roomCount > 0)
        {
            RedisLink link = _links[_room[_roomFirst]];
            LoadTurn turn = LoadTurn.Taken;
            while (link.HasRoom)
            {
                turn = _course.TryTake(now, out long index, out dueNanos);
                if (turn != LoadTurn.Taken)
                {
                    break;
                }

                LoadOperation operation = _source.Next(index);
                Write(link, operation, isSecond: false);
                link.Push(new RedisPending(operation, dueNanos, now, IsSecond: false));
                _onTheirWay++;
                if (_course.IsPaced)
                {
                    break;
                }
            }

            if (turn != LoadTurn.Taken)
            {
                Flush(link, now);
                return turn;
            }

            _roomFirst = (_roomFirst + 1) % _room.Length;
            _roomCount--;
            link.IsListed = false;
            Flush(link, now);
            List(link);
        }

        // Nobody has room, or nobody is connected: whether it is over is asked without taking anything.
        return _course.IsOverAt(now) ? LoadTurn.Over : LoadTurn.Taken;
    }

    private void List(RedisLink link)
    {
        if (link.HasRoom && !link.IsListed)
        {
            link.IsListed = true;
            _room[(_roomFirst + _roomCount++) % _room.Length] = link.Key;
        }
    }

    private void Flush(RedisLink link, long now)
    {
        if (link.IsOpen && link.Out.Count > 0 && !link.Send())
        {
            Fail(link, "closed", now);
        }
    }

    private void Serve(RedisLink link, PollEvents seen)
    {
        long now = LoadClock.Nanos;
        if (!link.IsOpen)
        {
            if (!link.TryOpen())
            {
                Fail(link, "refused", now);
                return;
            }

            Greet(link, now);
        }

        if (!link.Send())
        {
            Fail(link, "closed", now);
            return;
        }

        if ((seen & ~PollEvents.Writable) != 0 && !link.Receive())
        {
            // What came before the end still counts.
            if (ReadAll(link, now))
            {
                Fail(link, "closed", now);
            }

            return;
        }

        if (ReadAll(link, now))
        {
            List(link);
            Flush(link, now);
        }
    }

    private void Greet(RedisLink link, long now)
    {
        if (_options.Login is { } login)
        {
            link.Out.Command(login.Words.Count);
            foreach (string word in login.Words)
            {
                link.Out.Word(Encoding.UTF8.GetBytes(word));
            }

            link.Greetings++;
        }

        if (_options.Table != 0)
        {
            link.Out.Command(2);
            link.Out.Word("SELECT"u8);
            link.Out.Word(_options.Table);
            link.Greetings++;
        }

        // Noted here, too: one that is closed at once is open at no look.
        _openNanos = link.Greetings == 0 ? now : _openNanos;
    }

    // False: the connection was ended.
    private bool ReadAll(RedisLink link, long now)
    {
        while (link.Received.Length > 0)
        {
            RespOutcome outcome = link.TryRead(out RespHead head);
            if (outcome == RespOutcome.Partial)
            {
                return true;
            }

            if (outcome == RespOutcome.Taken && link.Greetings > 0)
            {
                if (head.Kind == RespKind.Error)
                {
                    // Whatever it asked would be of another table, or refused.
                    Fail(link, "refused", now);
                    return false;
                }

                link.Take(head);
                _openNanos = --link.Greetings == 0 ? now : _openNanos;
                continue;
            }

            if (outcome == RespOutcome.Breach || link.PendingCount == 0)
            {
                // Also an answer that nobody asked for: whose it is cannot be known any more.
                Fail(link, "protocol", now);
                return false;
            }

            RedisPending pending = link.Pop();
            Answer(link, pending, head, head.In(link.Received), now);
            link.Take(head);
        }

        return true;
    }

    private void Answer(RedisLink link, in RedisPending pending, RespHead head, ReadOnlySpan<byte> text, long now)
    {
        OperationKind kind = pending.Operation.Kind;
        scoped ReadOnlySpan<char> error = "";
        Span<char> word = stackalloc char[32];
        bool isRead = kind == OperationKind.Get || (kind == OperationKind.ReadModifyWrite && !pending.IsSecond);
        if (head.Kind == RespKind.Error)
        {
            error = word[..RedisAnswers.WordOf(text, word)];
        }
        else if (isRead)
        {
            error =
                head.Kind == RespKind.Null ? "notFound"
                : head.Kind != RespKind.Bulk || !_names.IsValueOf(pending.Operation.Number, text) ? "wrong"
                : "";
        }
        else if (!RedisAnswers.Fits(kind, head.Kind, text))
        {
            error = "wrong";
        }

        if (error.IsEmpty && kind == OperationKind.ReadModifyWrite && !pending.IsSecond)
        {
            Write(link, pending.Operation, isSecond: true);
            link.Push(pending with { IsSecond = true, SentNanos = now });
            return;
        }

        End(pending, error, now);
    }

    private void End(in RedisPending pending, ReadOnlySpan<char> error, long now)
    {
        _onTheirWay--;
        _source.End(pending.Operation);
        if (error.IsEmpty)
        {
            Tally.Add(pending.Operation.Kind, now - pending.DueNanos);
        }
        else
        {
            Tally.Fail(pending.Operation.Kind, error);
        }
    }

    private void Fail(RedisLink link, string error, long now)
    {
        while (link.PendingCount > 0)
        {
            End(link.Pop(), error, now);
        }

        link.Close();
        link.TimeNanos = now + RetryNanos;
    }

    private void LookAtAll(long now)
    {
        if (_links.Any(static link => link.IsOpen && link.Greetings == 0))
        {
            _openNanos = now;
        }
        else if (now - _openNanos > _patienceNanos)
        {
            // A phase without a time would never end.
            IsGone = true;
            _course.Stop();
        }

        foreach (RedisLink link in _links)
        {
            if (!link.HasBegun)
            {
                if (now >= link.TimeNanos)
                {
                    Begin(link, now);
                }
            }
            else if (
                link.IsOpen && link.Greetings == 0
                    ? link.PendingCount > 0 && now - link.Oldest.SentNanos > _patienceNanos
                    : now - link.TimeNanos > _patienceNanos
            )
            {
                Fail(link, "timeout", now);
            }
        }
    }

    private void Write(RedisLink link, in LoadOperation operation, bool isSecond)
    {
        RespBuffer to = link.Out;
        bool puts = isSecond || operation.Kind is OperationKind.Put or OperationKind.Insert;
        to.Command(puts ? 3 : 2);
        to.Word(
            puts ? "SET"u8
            : operation.Kind == OperationKind.Increment ? "INCR"u8
            : operation.Kind == OperationKind.Delete ? "DEL"u8
            : "GET"u8
        );
        _names.WriteKey(operation.Number, operation.IsCounter, to.WordOf(_names.KeyLength));
        if (puts)
        {
            _names.WriteValue(operation.Number, operation.Turn, to.WordOf(_names.ValueLength));
        }
    }
}
