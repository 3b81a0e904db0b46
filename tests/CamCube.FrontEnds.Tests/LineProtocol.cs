using System.Collections.Concurrent;
using System.Text;
using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Tests;

/// <summary>Repeats lines, and does what is wrong when a line asks for it.</summary>
internal sealed class LineProtocol : IConnectionProtocol
{
    private readonly ServiceTurn<IQuiet> _turn;
    private readonly QuestionWindow<WaitingQuestion> _window;
    private readonly Func<string, TaskCompletionSource<int>> _waits;
    private readonly ConcurrentQueue<string> _said;

    public LineProtocol(
        ServiceTurn<IQuiet> turn,
        IQuestionOwner owner,
        Func<string, TaskCompletionSource<int>> waits,
        ConcurrentQueue<string> said
    )
    {
        (_turn, _waits, _said) = (turn, waits, said);
        _window = new QuestionWindow<WaitingQuestion>(most: 4, () => new WaitingQuestion(owner));
    }

    public int InWork => _window.Count;

    public bool HasAnswer => _window.IsHeadDone;

    public bool HasLent => _window.IsWorking;

    public ProtocolStep Advance(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = 0;
        int end = input.IndexOf((byte)'\n');
        if (end < 0)
        {
            return ProtocolStep.NeedsInput;
        }

        string line = Encoding.ASCII.GetString(input[..end]);
        consumed = end + 1;
        switch (line)
        {
            case "throw":
                throw new InvalidOperationException("It throws.");
            case "idle":
                consumed = 0;
                return ProtocolStep.Took;
            case "too far":
                consumed = input.Length + 1;
                return ProtocolStep.Took;
            case "backwards":
                consumed = -1;
                return ProtocolStep.Took;
            case "room":
                consumed = 0;
                return ProtocolStep.NeedsRoom;
            case "much":
                _turn.Output.Write(new byte[AbuseTests.MaxAnswer + 1]);
                return ProtocolStep.Took;
            case "break":
                _turn.Enter()?.Break();
                _turn.Leave();
                return ProtocolStep.Took;
            case "quit":
                _turn.End();
                return ProtocolStep.Took;
            default:
                return line.StartsWith("wait", StringComparison.Ordinal) ? Wait(line, ref consumed) : Say(line);
        }
    }

    public void Answer()
    {
        WaitingQuestion question = _window.Retire();
        Say(question.Name);
        _window.Return(question);
    }

    private ProtocolStep Say(string line)
    {
        if (line.StartsWith("heavy", StringComparison.Ordinal))
        {
            _turn.CountAnswer(1_000_000_000);
        }

        _said.Enqueue(line);
        _turn.Output.Write(Encoding.ASCII.GetBytes(line + "\n"));
        _turn.CountAnswer();
        return ProtocolStep.Took;
    }

    // "wait! X" does not ask whether there is room.
    private ProtocolStep Wait(string line, ref int consumed)
    {
        if (!_window.HasRoom && line[4] != '!')
        {
            consumed = 0;
            return ProtocolStep.NeedsRoom;
        }

        WaitingQuestion question = _window.Rent();
        _window.Add(question);
        question.Begin(line, _waits(line));
        return ProtocolStep.Took;
    }
}
