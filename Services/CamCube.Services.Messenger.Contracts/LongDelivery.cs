namespace CamCube.Services.Messenger;

/// <summary>What became of a long message.</summary>
/// <param name="Status">What.</param>
/// <param name="Discarded">Items that had no window, if it was delivered.</param>
public readonly record struct LongDelivery(LongStatus Status, int Discarded = 0);
