namespace CamCube.Services.KeyValue.Requests;

/// <summary>Somebody who waits until a key has another version.</summary>
internal sealed record WaitingChange(Waiter Waiter, ulong Unlike, long UntilNanos);
