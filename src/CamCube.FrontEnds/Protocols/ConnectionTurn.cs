using CamCube.FrontEnds.Buffers;

namespace CamCube.FrontEnds.Protocols;

/// <summary>
/// What a connection's protocol works with in its turn. One per loop, which its connections use one after the other, or
/// one per connection on pool threads: nothing of it may be kept from turn to turn. In the turn only.
/// </summary>
public abstract class ConnectionTurn
{
    /// <summary>Bytes above which answers are sent before more are written.</summary>
    public const int SendThreshold = 64 << 10;

    private readonly int _mostAnswers;
    private int _answered;

    private protected ConnectionTurn(bool isInLoop, int mostAnswers, ReplyBuffer output) =>
        (IsInLoop, _mostAnswers, Output) = (isInLoop, mostAnswers, output);

    /// <summary>Whether it is a server's loop, where the service is at hand.</summary>
    public bool IsInLoop { get; }

    /// <summary>Where answers are written.</summary>
    public ReplyBuffer Output { get; }

    /// <summary>Whether another question may be answered in the same step, before it is looked what else there is to
    /// do.</summary>
    public bool MayGoOn => !HasHadTurn && Output.Length < SendThreshold && !HasEnded;

    internal bool HasEnded { get; private set; }

    internal bool HasHadTurn => _answered >= _mostAnswers;

    /// <summary>Whether all connections together had as many answers as one may have in a turn.</summary>
    internal bool HaveHadTurns => AnsweredAll >= _mostAnswers;

    /// <summary>Answers of all connections in this turn of the loop.</summary>
    internal int AnsweredAll { get; private set; }

    internal bool IsInService { get; private protected set; }

    /// <summary>A question was answered: each connection has so many in a turn, the others want theirs.</summary>
    public void CountAnswer() => CountAnswer(1);

    /// <summary>A question was answered that took as long as several: who asks for what takes long has no longer turns
    /// than others.</summary>
    /// <param name="weight">As how many simple ones it counts, from 1.</param>
    public void CountAnswer(int weight)
    {
        weight = Math.Clamp(weight, 1, _mostAnswers);
        _answered += weight;
        AnsweredAll += weight;
    }

    /// <summary>Nothing more is taken from the client: it is closed when its answers are sent.</summary>
    public void End() => HasEnded = true;

    internal void Forget() => IsInService = false;

    internal void BeginAll() => AnsweredAll = 0;

    internal void Begin(bool hasEnded) => (_answered, HasEnded) = (0, hasEnded);
}
