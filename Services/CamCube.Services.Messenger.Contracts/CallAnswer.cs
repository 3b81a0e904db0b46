namespace CamCube.Services.Messenger;

/// <summary>How a call ended.</summary>
/// <param name="Status">How.</param>
/// <param name="Message">The answer, the caller's to release; null if there is none.</param>
public readonly record struct CallAnswer(CallStatus Status, Message? Message) : IDisposable
{
    /// <summary>Whether there is an answer.</summary>
    public bool IsAnswered => Status == CallStatus.Answered;

    /// <summary>Releases the answer, if there is one.</summary>
    public void Dispose() => Message?.Release();
}
