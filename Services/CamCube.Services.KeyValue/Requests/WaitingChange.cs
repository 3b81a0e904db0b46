namespace CamCube.Services.KeyValue.Requests;

/// <summary>Somebody who waits until a key has another version.</summary>
/// <param name="Waiter">Who.</param>
/// <param name="Unlike">The version that it has.</param>
/// <param name="After">The end of the log then: what lies up to there came to that version, even if it is shown
/// later.</param>
/// <param name="UntilNanos">How long.</param>
internal sealed record WaitingChange(Waiter Waiter, ulong Unlike, ulong After, long UntilNanos);
