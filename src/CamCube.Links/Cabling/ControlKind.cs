namespace CamCube.Cabling;

/// <summary>The second byte of a control frame.</summary>
internal enum ControlKind : byte
{
    Hello = 1,
    Report = 2,
    Known = 3,
    MapRequest = 4,
    MapPart = 5,
}
