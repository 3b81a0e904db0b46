namespace CamCube.Experiments.Cables;

/// <summary>One file that was asked for and came.</summary>
/// <param name="What">How.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Micros">Microseconds from the question to the last byte; infinite if it did not come.</param>
internal sealed record FileTransfer(string What, int Bytes, double Micros);
