using System.Text;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.KeyValue.Redis.Commands;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis;

/// <summary>Redis on one connection: takes requests one by one, and answers them in their order. In the connection's
/// turns only.</summary>
internal sealed class RedisConnection : IConnectionProtocol
{
    // Of a command that is answered at once, whatever it asks: names of commands and settings. There are fewer of them.
    private const int MostWords = 1_024;
    private readonly RedisContext _context;
    private readonly ServiceTurn<IKeyValueStore> _turn;
    private readonly RedisSession _session;
    private readonly RequestParser _parser;
    private readonly CommandWindow _window;
    private RedisQuestion? _filling;
    private RedisQuestion? _waiting;

    // What it said last, while clients stand still; and its place among those.
    private RedisQuestion? _held;
    private LinkedListNode<IQuestionOwner>? _place;
    private long _expected;
    private long _expectedWeight;
    private long _unsent;

    /// <summary>A client that has said nothing yet.</summary>
    public RedisConnection(RedisContext context, ServiceTurn<IKeyValueStore> turn, IQuestionOwner owner)
    {
        (_context, _turn) = (context, turn);
        _session = new RedisSession(context.NextSession(), context.FirstRights, owner);
        context.Sessions[_session.Id] = _session;
        _parser = new RequestParser(context.Options);
        _window = new CommandWindow(
            context.Options.MaxPipelined,
            () => new RedisQuestion(context, _session, turn, owner)
        );
    }

    public bool IsReceiving => _filling is not null && _parser.IsReceiving;

    public int InWork => _window.Count + (_held is null ? 0 : 1);

    public bool HasAnswer => _window.IsHeadDone;

    public bool HasLent => _window.IsWorking;

    public ProtocolStep Advance(ReadOnlySpan<byte> input, out int consumed)
    {
        // It is called when what it has written was sent, but for little.
        _context.Budget.Free(ref _unsent);
        consumed = 0;
        if (_session.HasQuit)
        {
            // What comes behind the last command was not said.
            return ProtocolStep.Ended;
        }

        if (_held is { } held)
        {
            if (IsToStand(_session.Last!))
            {
                return ProtocolStep.Held;
            }

            _held = null;
            Accept(_session.Last!, held);
            return ProtocolStep.Took;
        }

        if (_waiting is { } waiting)
        {
            if (_window.MustWait(waiting))
            {
                return ProtocolStep.NeedsRoom;
            }

            _waiting = null;
            Launch(waiting);
            return ProtocolStep.Took;
        }

        if (!_window.HasRoom || _window.IsClosed || IsMuch(_window.Count))
        {
            return ProtocolStep.NeedsRoom;
        }

        RedisQuestion question = _filling ??= _window.Rent();
        ParseStep step = _parser.Read(input, _session.Rights == UserRights.None, question.Arguments, out consumed);
        if (!_context.Budget.TryHold(ref question.Held, question.Arguments.HeldBytes))
        {
            _context.Counters.CountRefusedForMemory();
            return Refuse(question, Errors.NoMemory);
        }

        switch (step)
        {
            case ParseStep.NeedsInput:
                return ProtocolStep.NeedsInput;
            case ParseStep.Empty:
                question.Arguments.Clear();
                return ProtocolStep.Took;
            case ParseStep.Broken:
                _context.Counters.CountMalformed();
                return Refuse(question, $"ERR Protocol error: {_parser.Error}");
        }

        _filling = null;
        Take(question);
        return _held is not null ? ProtocolStep.Held
            : _session.HasQuit ? ProtocolStep.Ended
            : ProtocolStep.Took;
    }

    public void Answer()
    {
        _context.Budget.Free(ref _unsent);
        if (_window.TryPeekDone(out RedisQuestion? question))
        {
            Write(question);
            _window.Retire();
        }
    }

    public void Release()
    {
        _context.Sessions.TryRemove(_session.Id, out _);
        if (_place is { } place)
        {
            _context.Pause.Forget(place);
        }

        _session.ForgetQueue();
        _filling?.Release();
        _waiting?.Release();
        _window.Release();
        _context.Budget.Free(ref _session.Held);
        _context.Budget.Free(ref _unsent);
    }

    // The estimates fall slowly and rise at once: who asks for much now and then is taken for one that always does.
    private bool IsMuch(int inWork) =>
        inWork > 0
        && (
            _expected * (inWork + 1) > _context.Options.MaxAnswerBytes
            || _expectedWeight * (inWork + 1) > _context.Options.CommandsPerTurn
        );

    private void Take(RedisQuestion question)
    {
        // A client that says it speaks HTTP was sent here by a browser, perhaps by somebody who means harm.
        ReadOnlySpan<byte> name = question.Arguments[0];
        if (Ascii.EqualsIgnoreCase(name, "post"u8) || Ascii.EqualsIgnoreCase(name, "host:"u8))
        {
            _context.Counters.CountMalformed();
            _session.HasQuit = true;
            question.IsSilent = true;
            End(question);
            return;
        }

        RedisCommand? command =
            _session.Last is { } last && Ascii.EqualsIgnoreCase(name, last.Name) ? last : CommandTable.Find(name);
        _session.Last = command;
        if (RefusalOf(command, question) is { } refusal)
        {
            _session.IsSpoilt = _session.Queue is not null;
            question.Reply.Error(refusal);
            End(question);
        }
        else if (IsToStand(command!))
        {
            _held = question;
        }
        else
        {
            Accept(command!, question);
        }
    }

    // Two reads where nobody stands still.
    private bool IsToStand(RedisCommand command)
    {
        if (_context.Pause.Kind == PauseKind.None || (command.Flags & CommandFlags.Unpaused) != 0)
        {
            return false;
        }

        bool isChange =
            !command.IsRead
            || (command.EndsTransaction && _session.Queue?.Exists(static q => !q.Command.IsRead) == true);
        return _context.Pause.TryHold(isChange, _place ??= new LinkedListNode<IQuestionOwner>(_session.Owner));
    }

    private void Accept(RedisCommand command, RedisQuestion question)
    {
        if (_session.Queue is not null && (command.Flags & CommandFlags.Unqueued) == 0)
        {
            Enqueue(command, question);
        }
        else
        {
            question.Prepare(command);
            if (_window.MustWait(question))
            {
                _waiting = question;
            }
            else
            {
                Launch(question);
            }
        }
    }

    private string? RefusalOf(RedisCommand? command, RedisQuestion question)
    {
        question.Reply.Version = _session.Version;
        if (command is null)
        {
            return _session.Rights == UserRights.None ? Errors.NoAuth : UnknownOf(question.Arguments);
        }

        if (!command.Takes(question.Arguments.Count))
        {
            return Errors.Arity(command.Name);
        }

        if (command.Session is not null && question.Arguments.Count > MostWords)
        {
            return $"ERR '{command.Name}' takes {MostWords - 1:N0} arguments at most";
        }

        if (_session.Rights == UserRights.None && (command.Flags & CommandFlags.Stranger) == 0)
        {
            return Errors.NoAuth;
        }

        if (_session.Rights == UserRights.Read && (command.Flags & CommandFlags.Write) != 0)
        {
            return $"NOPERM this user has no permissions to run the '{command.Name}' command";
        }

        return _session.Queue is not null && (command.Flags & CommandFlags.NoMulti) != 0
            ? $"ERR {command.Name.ToUpperInvariant()} asks all servers, and cannot be part of a transaction"
            : null;
    }

    private static string UnknownOf(RequestArguments arguments)
    {
        const int MostShown = 128;
        string name = Shown(arguments[0]);
        if (CommandTable.ForeignKindOf(arguments[0]) is { } kind)
        {
            return $"ERR unknown command '{name}': it is for {kind}; this store has strings (docs/redis.md)";
        }

        var text = new StringBuilder($"ERR unknown command '{name}', with args beginning with: ");
        for (int i = 1; i < arguments.Count && text.Length < MostShown * 2; i++)
        {
            text.Append('\'').Append(Shown(arguments[i])).Append("' ");
        }

        return text.ToString();

        static string Shown(ReadOnlySpan<byte> bytes) =>
            Encoding.Latin1.GetString(bytes[..Math.Min(bytes.Length, MostShown)]);
    }

    private void Enqueue(RedisCommand command, RedisQuestion question)
    {
        long bytes = _session.QueuedBytes + question.Arguments.Length;
        if (_session.Queue!.Count >= _context.Options.MaxQueued || bytes > _context.Options.MaxRequestBytes)
        {
            _session.IsSpoilt = true;
            question.Reply.Error("ERR the transaction is too long (settings MaxQueued, MaxRequestBytes)");
        }
        else if (!_session.TryHold(_context.Budget, question.Arguments.HeldBytes))
        {
            _session.IsSpoilt = true;
            _context.Counters.CountRefusedForMemory();
            question.Reply.Error(Errors.NoMemory);
        }
        else
        {
            // What the queue holds is the client's until EXEC.
            var own = new RequestArguments();
            for (int i = 0; i < question.Arguments.Count; i++)
            {
                own.Add(question.Arguments[i]);
            }

            _session.Queue.Add(new QueuedCommand(command, own));
            _session.QueuedBytes = bytes;
            question.Reply.Simple("QUEUED"u8);
        }

        End(question);
    }

    // The answer is there.
    private void End(RedisQuestion question)
    {
        question.IsLast = _session.HasQuit;
        Silence(question);
        question.EndAtOnce();
        if (_window.Count == 0)
        {
            Write(question);
            _window.Return(question);
        }
        else
        {
            _window.Add(question);
        }
    }

    private void Launch(RedisQuestion question)
    {
        if (question.Command.Session is { } session)
        {
            session(new SessionCall(_context, _session, question.Arguments, question.Reply));
            End(question);
            return;
        }

        Silence(question);
        if (_window.Count == 0 && _turn.IsInLoop)
        {
            // Most end at once where the key is, and nobody waits before them.
            question.Start();
            if (question.IsDone)
            {
                Write(question);
                _window.Return(question);
            }
            else
            {
                _window.Add(question);
            }
        }
        else
        {
            _window.Add(question);
            question.Start();
        }
    }

    private void Silence(RedisQuestion question)
    {
        question.IsSilent |= _session.Mode != ReplyMode.On;
        if (_session.Mode == ReplyMode.SkipNext && (question.Reply.Output.Length > 0 || question.HasWork))
        {
            _session.Mode = ReplyMode.On;
        }
    }

    private void Write(RedisQuestion question)
    {
        int weight = question.Weight;
        _turn.CountAnswer(weight);
        _expectedWeight = Math.Max(weight, _expectedWeight - (_expectedWeight >> 3));
        _expected = Math.Max(question.Reply.Output.Length, _expected - (_expected >> 3));
        _context.Counters.CountCommand(question.Reply.HasFailed);
        if (!question.IsSilent)
        {
            _turn.Output.Write(question.Reply.Output.Written.Span);
            _unsent += question.HeldAnswer;
            question.HeldAnswer = 0;
        }

        if (question.IsLast)
        {
            _turn.End();
        }
    }

    // Nothing behind it can be read.
    private ProtocolStep Refuse(RedisQuestion question, string error)
    {
        _filling = null;
        question.Reply.Error(error);
        _session.HasQuit = true;
        End(question);
        return ProtocolStep.Ended;
    }
}
