using System.Runtime.CompilerServices;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>
/// One command of a client, from its reading to its answer; used again and again by one connection. Filled and read in
/// the connection's turns; between <see cref="Start"/> and <see cref="Question.IsDone"/> it belongs to the server's
/// loop.
/// </summary>
internal sealed class RedisQuestion : Question
{
    private readonly ServiceTurn<IKeyValueStore> _turn;
    private readonly Action _ended;
    private readonly Keyspace _keys = new();

    /// <summary>Keys that one command asks for before others have their turn.</summary>
    public const int KeysPerTurn = 512;

    /// <summary>What a transaction works, as <see cref="Weight"/> counts bytes, before others have their turn: one or
    /// two milliseconds.</summary>
    public const int WorkPerTurn = 4 << 20;

    // Answers and values up to this length are bounded by the number of clients.
    private const int LargeBytes = 1 << 20;
    private long _held;
    private long _heldValues;
    private long _heldMade;
    private long _heldAnswer;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _work;

    /// <summary>An empty one.</summary>
    /// <param name="context">What connections share.</param>
    /// <param name="session">The client.</param>
    /// <param name="turn">Its connection's.</param>
    /// <param name="owner">Told when the work has ended, if it did not at once.</param>
    public RedisQuestion(
        RedisContext context,
        RedisSession session,
        ServiceTurn<IKeyValueStore> turn,
        IQuestionOwner owner
    )
    {
        (Context, Session, _turn) = (context, session, turn);
        Reply = new Reply(new ReplyBuffer(), context.Options.MaxAnswerLength);
        Call = new DataCall
        {
            Arguments = Arguments,
            Reply = Reply,
            Keys = _keys,
            MaxValueLength = context.Options.MaxValueLength,
        };
        _ended = () =>
        {
            TakeEnd();
            owner.QuestionEnded();
        };
    }

    /// <summary>What connections share.</summary>
    public RedisContext Context { get; }

    /// <summary>The client; its queue and what it watches only in a command that is alone.</summary>
    public RedisSession Session { get; }

    /// <summary>The arguments, the command's name first.</summary>
    public RequestArguments Arguments { get; } = new();

    /// <summary>The answer.</summary>
    public Reply Reply { get; }

    /// <summary>Where a value goes that is read.</summary>
    public ValueBuffer Value { get; } = new();

    /// <summary>The command as functions on keys see it.</summary>
    public DataCall Call { get; }

    /// <summary>The command; before <see cref="Start"/>.</summary>
    public RedisCommand Command { get; private set; } = null!;

    /// <summary>Whether there is work to do: else the answer is there.</summary>
    public bool HasWork { get; private set; }

    /// <summary>Whether all before it must have ended, and nothing after it is looked at until it has.</summary>
    public bool IsAlone { get; private set; }

    /// <summary>Whether it is about several keys.</summary>
    public bool HasMany { get; private set; }

    /// <summary>Bytes of it that the front end's budget knows of.</summary>
    public ref long Held => ref _held;

    /// <summary>As how many simple commands it counts in a turn: one takes about as long as copying 4 KiB, or as four
    /// arguments.</summary>
    public int Weight
    {
        get
        {
            long bytes = Reply.Work + Arguments.Length + Reply.Output.Length;
            return (int)Math.Min(1 + (bytes >> 12) + (Arguments.Count >> 2), int.MaxValue);
        }
    }

    /// <summary>Whether nobody is answered.</summary>
    public bool IsSilent { get; set; }

    /// <summary>Whether the connection ends with its answer.</summary>
    public bool IsLast { get; set; }

    /// <summary>The one key of most commands, while there is work.</summary>
    public ReadOnlySpan<byte> OnlyKey => Arguments[Command.FirstKey];

    /// <summary>A key of it.</summary>
    public KeyValueKey KeyAt(int index) => new(Arguments.MemoryOf(index), Call.Table);

    /// <summary>Bytes of its answer that the front end's budget knows of, until they are sent.</summary>
    public ref long HeldAnswer => ref _heldAnswer;

    /// <summary>Holds so many more bytes of values. False: there is no memory for them.</summary>
    public bool TryHoldValues(long more) =>
        more <= LargeBytes || Context.Budget.TryHold(ref _heldValues, _heldValues + more);

    /// <summary>Holds the values that a transaction has made so far. False: there is no memory for them.</summary>
    public bool TryHoldMade(long bytes)
    {
        if (bytes <= Math.Max(LargeBytes, _heldMade))
        {
            return true;
        }

        if (!Context.Budget.TryHold(ref _heldValues, _heldValues + bytes - _heldMade))
        {
            return false;
        }

        _heldMade = bytes;
        return true;
    }

    /// <summary>Holds the answer that was written. False: there is no memory for it.</summary>
    public bool TryHoldAnswer() =>
        Reply.Output.Length <= LargeBytes || Context.Budget.TryHold(ref _heldAnswer, Reply.Output.Length);

    /// <summary>Of a command of very many keys: whoever else waits for this server has its turn, once for every
    /// <see cref="KeysPerTurn"/> of them.</summary>
    /// <param name="done">Keys that were asked for.</param>
    public ValueTask<bool> LetOthersAsync(int done) =>
        done % KeysPerTurn != 0 ? new ValueTask<bool>(true) : LetOthersAsync();

    /// <summary>Whoever else waits for this server has its turn.</summary>
    public ValueTask<bool> LetOthersAsync() =>
        Context.Gate.CallAsync(static (IKeyValueStore _, int _) => new ValueTask<bool>(true), 0);

    /// <summary>Values that were held are there no more.</summary>
    public void ForgetValues()
    {
        Context.Budget.Free(ref _heldValues);
        _heldMade = 0;
    }

    /// <summary>It is a command.</summary>
    public void Prepare(RedisCommand command)
    {
        Command = command;
        HasWork = command.Session is null;
        Reply.Version = Session.Version;
        (Call.Table, Call.NowMillis) = (Session.Table, Context.NowMillis);
        IsAlone = command.Store is not null;
        HasMany = command.KeysEnd(Arguments.Count) > command.FirstKey + command.KeyStep;
    }

    /// <summary>The answer is there.</summary>
    public void EndAtOnce() => Mark(isDone: true);

    /// <summary>Begins the work. The owner is told of its end, unless it ended at once.</summary>
    public void Start()
    {
        try
        {
            _work = Begin().ConfigureAwait(false).GetAwaiter();
        }
        catch (Exception error)
        {
            Fail(error);
            Mark(isDone: true);
            return;
        }

        if (_work.IsCompleted)
        {
            TakeEnd();
        }
        else
        {
            _work.UnsafeOnCompleted(_ended);
        }
    }

    /// <inheritdoc/>
    public override void Clear()
    {
        base.Clear();
        Arguments.Clear();
        Reply.Clear();
        Reply.Work = 0;
        Value.Clear();
        (HasWork, IsAlone, HasMany, IsSilent, IsLast) = (false, false, false, false, false);
        Forget();
    }

    /// <inheritdoc/>
    public override void Release()
    {
        Arguments.Release();
        Reply.Output.Release();
        Value.Release();
        Forget();
    }

    private void Forget()
    {
        Context.Budget.Free(ref _held);
        ForgetValues();
        Context.Budget.Free(ref _heldAnswer);
        Reply.Store = null;
    }

    // On pool threads the loop is asked, and does all of it.
    private ValueTask Begin()
    {
        if (!_turn.IsInLoop)
        {
            return new ValueTask(AskGateAsync());
        }

        IKeyValueStore store = _turn.Enter() ?? throw new ServiceUnavailableException(nameof(IKeyValueStore));
        ValueTask work = RunAsync(store);
        _turn.Leave();
        return work;
    }

    private async Task AskGateAsync() =>
        await Context
            .Gate.CallAsync(
                static async (IKeyValueStore store, RedisQuestion question) =>
                {
                    await question.RunAsync(store);
                    return true;
                },
                this
            )
            .ConfigureAwait(false);

    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    private async ValueTask RunAsync(IKeyValueStore store)
    {
        Reply.Store = store;
        if (Command.Store is { } whole)
        {
            await whole(store, this);
        }
        else if (Command.Direct is null || !await Command.Direct(store, this))
        {
            await WorkAsync(store);
        }

        // Of what changes something it was looked at before.
        if (Reply.IsTooLong || (Command.IsRead && !TryHoldAnswer()))
        {
            string error = Reply.IsTooLong ? Errors.LongAnswer : Errors.NoMemory;
            Reply.Clear();
            Reply.Error(error);
        }
    }

    private async ValueTask WorkAsync(IKeyValueStore store)
    {
        if (!Command.TryDeclare(Arguments, Call.Table, _keys, Context.Options.MaxTogether))
        {
            Reply.Error(Errors.ManyTogether(Context.Options.MaxTogether));
        }
        else if (!_keys.IsOneGroup())
        {
            Reply.Error(Errors.CrossSlot);
        }
        else
        {
            TransactionEnd end = await Transaction.RunAsync(
                store,
                this,
                _keys,
                [],
                static question =>
                {
                    question.Command.Data!(question.Call);
                    return new ValueTask<bool>(true);
                }
            );
            if (end.Status != KeyValueStatus.Done)
            {
                end.Refuse(Reply);
            }
        }

        _keys.Clear();
    }

    private void TakeEnd()
    {
        try
        {
            _work.GetResult();
        }
        catch (Exception error)
        {
            Fail(error);
        }

        _work = default;
        Mark(isDone: true);
    }

    private void Fail(Exception error)
    {
        _keys.Clear();
        Reply.Clear();
        if (Command.EndsTransaction)
        {
            Session.EndTransaction(Context.Budget);
        }

        if (error is ServiceUnavailableException)
        {
            Reply.Error(Errors.NotRunning);
            return;
        }

        Reply.Error(Errors.Failed);
        Context.Counters.CountFailure();
        RedisLog.CommandFailed(Context.Logger, error);
    }
}
