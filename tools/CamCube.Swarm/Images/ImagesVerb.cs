namespace CamCube.Swarm.Images;

/// <summary>What a client does.</summary>
internal enum ImagesVerb
{
    Get,
    GetVariant,
    Find,
    Put,
    PutIfAbsent,
    PutIfVersion,
    PutHostile,
    Delete,
    DeleteIfVersion,
}
