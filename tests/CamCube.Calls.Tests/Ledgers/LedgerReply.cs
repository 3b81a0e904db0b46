namespace CamCube.Calls.Tests.Ledgers;

/// <summary>An answer.</summary>
/// <param name="Status">Whether it was done.</param>
/// <param name="Sum">The sum afterwards.</param>
/// <param name="Hops">Hops that the request made.</param>
public readonly record struct LedgerReply(LedgerStatus Status, long Sum, int Hops = 0);
