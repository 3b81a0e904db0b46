using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Waiting;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Calls;

/// <summary>An open call; one object per place in the table, used again and again.</summary>
internal sealed class CallRecord
{
    private CancellationTokenRegistration _cancel;

    public CallRecord(IServer server, CallTable table)
    {
        Wait = new LoopWait<CallAnswer>(server, () => table.Return(this));
        Timer = server.CreateTimer(() => table.End(this, CallStatus.TimedOut));
        Table = table;
    }

    public CallTable Table { get; }

    public int Slot { get; set; }

    /// <summary>Who waits for the answer.</summary>
    public LoopWait<CallAnswer> Wait { get; }

    public ServerTimer Timer { get; }

    /// <summary>Number of the call; 0: it has ended.</summary>
    public ulong Question { get; set; }

    public LocalEndpoint? From { get; set; }

    public EndpointId To { get; set; }

    /// <summary>Where the question went; not known while it waits.</summary>
    public EndpointPlace Place { get; set; }

    /// <summary>Windows that are lent, whose number is in <see cref="ReturnCount"/>.</summary>
    public Window?[] Returns { get; } = new Window?[ShortBody.MostReturns];

    public int ReturnCount { get; set; }

    /// <summary>Handle of those windows; 0: none are lent, or an answer is being written.</summary>
    public ulong Handle { get; set; }

    /// <summary>An answer is being written into the windows.</summary>
    public bool IsFilling { get; set; }

    /// <summary>Waits for the answer.</summary>
    public ValueTask<CallAnswer> WaitAsync(TimeSpan deadline, CancellationToken cancel)
    {
        ValueTask<CallAnswer> answer = Wait.Start();
        Timer.Arm(deadline);
        _cancel = cancel.UnsafeRegister(
            static c => ((CallRecord)c!).Table.End((CallRecord)c, CallStatus.Cancelled),
            this
        );
        return answer;
    }

    /// <summary>Nobody can end it any more.</summary>
    public void Close()
    {
        Timer.Cancel();
        _cancel.Unregister();
        _cancel = default;
        (Question, From) = (0, null);
    }
}
