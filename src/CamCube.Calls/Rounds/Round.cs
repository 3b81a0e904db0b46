namespace CamCube.Calls;

/// <summary>
/// One question to many servers: how it is sent, and what the service gathers of the answers. One object per question,
/// asked once (<see cref="ServerRounds{TRound}.AskAsync"/>). Loop only.
/// </summary>
public abstract class Round
{
    private Standing[] _standings = [];

    private enum Standing : byte
    {
        NotAsked,
        Open,
        Answered,
    }

    /// <summary>How many have answered.</summary>
    public int Answered { get; private set; }

    internal ulong Question { get; private set; }

    /// <summary>Sends the question to one server. It may be lost: it is sent again.</summary>
    /// <param name="question">Its number, to be repeated in the answer.</param>
    /// <param name="to">The server.</param>
    protected abstract void Send(ulong question, Coordinate to);

    internal void Begin(ulong question, TorusShape shape, IReadOnlyList<Coordinate> targets)
    {
        (Question, _standings) = (question, new Standing[shape.Count]);
        foreach (Coordinate target in targets)
        {
            _standings[shape.RankOf(target)] = Standing.Open;
        }
    }

    internal void Ask(Coordinate to) => Send(Question, to);

    internal bool IsOpen(int rank) => _standings[rank] == Standing.Open;

    internal void NoteAnswered(int rank)
    {
        _standings[rank] = Standing.Answered;
        Answered++;
    }
}
