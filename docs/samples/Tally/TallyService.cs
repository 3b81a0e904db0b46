using CamCube;
using CamCube.Messaging;

namespace TallySample;

/// <summary>Counts together what is told to any server: the sum is kept at server 0,0,0, in its memory.</summary>
/// <param name="server">The server.</param>
/// <param name="isForgetful">Plants a bug: what is asked again is counted again.</param>
[CamCubeService(0x7004, "tally", Header = typeof(TallyHeader))]
public sealed class TallyService(IServer server, bool isForgetful = false) : MessageService<TallyHeader>(server)
{
    private readonly HashSet<(Coordinate Source, long Request)> _counted = [];
    private long _requests;
    private long _sum;

    /// <summary>Counts a number, 0 to see the sum. Answers the sum; null: nobody knows if it was counted.</summary>
    public async ValueTask<long?> AddAsync(long amount)
    {
        var header = new TallyHeader { Request = ++_requests, Amount = amount };
        using Answer<TallyHeader> answer = await AskAsync(header, default, new Coordinate(0, 0, 0), Patience);
        return answer.IsAnswered ? answer.Header.Amount : null;
    }

    /// <inheritdoc/>
    protected override void OnMessage(in IncomingMessage<TallyHeader> message)
    {
        if (IsQuestion(message))
        {
            // Who gets no answer asks again, so the same request may come twice.
            bool isNew = _counted.Add((message.Source, message.Header.Request));
            _sum += isNew || isForgetful ? message.Header.Amount : 0;
            Answer(message, new TallyHeader { Amount = _sum });
        }
    }

    private static TimeSpan Patience => TimeSpan.FromMilliseconds(20);
}
