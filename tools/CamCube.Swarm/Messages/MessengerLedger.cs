using CamCube.Services.Messenger;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Messages;

/// <summary>What was sent and what has come, and what must be so of it.</summary>
public sealed class MessengerLedger
{
    private readonly PromiseChecker _place = new("messenger-place");
    private readonly PromiseChecker _bytes = new("messenger-whole");
    private readonly PromiseChecker _owners = new("messenger-owners");
    private readonly PromiseChecker _ends = new("messenger-ends");
    private readonly PromiseChecker _left = new("messenger-left");
    private readonly HashSet<ulong> _longs = [];
    private readonly HashSet<(EndpointId Id, uint Term, int Rank, int Stops, int Restarts)> _openings = [];

    /// <summary>What was counted.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>What is promised.</summary>
    public IReadOnlyList<Checker> Checkers => [_place, _bytes, _owners, _ends, _left];

    /// <summary>A message has come: it is for this endpoint, all of it is there, and a long one comes once.</summary>
    public void Received(IEndpoint at, Message message, long nanos)
    {
        for (int i = 0; i < message.Count; i++)
        {
            if (message.IsDiscarded(i))
            {
                Tally.Add("messenger item discarded");
                continue;
            }

            ReadOnlySpan<byte> item = message[i];
            bool isRight = MessageBytes.IsRight(item);
            int length = item.Length;
            _bytes.Check(isRight, nanos, () => $"{length} bytes at {at.Name} are not those that were sent.");
            if (!isRight)
            {
                continue;
            }

            ulong to = MessageBytes.To(item),
                number = MessageBytes.Number(item);
            _place.Check(
                to == at.Id.Value,
                nanos,
                () => $"message {number} for {new EndpointId(to)} came to {at.Name} ({at.Id}), term {at.Term}."
            );
            if (message.IsLong)
            {
                _bytes.Check(_longs.Add(number), nanos, () => $"long message {number} came twice to {at.Name}.");
            }
        }

        Tally.Add(message.IsLong ? "messenger long received" : "messenger short received");
    }

    /// <summary>An answer: the bytes of the question, from whom was asked.</summary>
    public void Answered(in CallAnswer answer, EndpointId asked, ulong number, long nanos)
    {
        Tally.Add($"messenger call: {answer.Status}");
        if (answer.Message is not { } message)
        {
            return;
        }

        bool isRight =
            message.Source == asked
            && message.Count == 1
            && MessageBytes.IsRight(message[0])
            && MessageBytes.Number(message[0]) == number;
        ulong got = message.Count == 1 && message[0].Length >= MessageBytes.Least ? MessageBytes.Number(message[0]) : 0;
        _bytes.Check(isRight, nanos, () => $"call {number} of {asked} was given the answer of call {got}.");
    }

    /// <summary>An endpoint has its name: no other opening has its term and run.</summary>
    public void Owned(IEndpoint endpoint, int rank, int stops, int restarts, long nanos) =>
        _owners.Check(
            _openings.Add((endpoint.Id, endpoint.Term, rank, stops, restarts)),
            nanos,
            () => $"{endpoint.Name} was opened twice at rank {rank} with term {endpoint.Term} in one run."
        );

    /// <summary>In a cube that has been whole for long a name has one owner.</summary>
    public void Single(string name, int owners, long nanos) =>
        _owners.Check(owners <= 1, nanos, () => $"{name} has {owners} owners in a cube that is whole.");

    /// <summary>Something goes on: it ends in its time.</summary>
    public void GoesOn(string what, long sinceNanos, long mostNanos, long nanos) =>
        _ends.Check(
            nanos - sinceNanos <= mostNanos,
            nanos,
            () => $"{what} has not ended {(nanos - sinceNanos) / 1e6:F1} ms after it began."
        );

    /// <summary>All is closed: nothing is left.</summary>
    public void Left(int rank, string what, bool isNothing, long nanos) =>
        _left.Check(isNothing, nanos, () => $"at rank {rank} is left: {what}.");
}
