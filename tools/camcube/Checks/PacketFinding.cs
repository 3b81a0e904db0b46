namespace CamCube.Tool.Checks;

/// <summary>What is wrong with a packet.</summary>
/// <param name="Offset">Where it is used, or rented.</param>
/// <param name="Gone">How it was given away before it is used; null: it is rented, and on some way out neither sent nor
/// released.</param>
internal readonly record struct PacketFinding(int Offset, PacketFate? Gone);
