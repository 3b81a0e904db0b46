namespace CamCube.Swarm.KeyValues;

/// <summary>What a client of the store does.</summary>
internal enum KeyValueVerb
{
    Get,
    GetAny,
    Put,
    PutIfVersion,
    PutIfAbsent,
    PutIfPresent,
    PutTooLong,
    Delete,
    DeleteIfVersion,
    DeleteIfPresent,
    Wait,
}
