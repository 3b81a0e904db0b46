using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>A command between MULTI and EXEC.</summary>
/// <param name="Command">Which.</param>
/// <param name="Arguments">Its arguments, the session's.</param>
internal readonly record struct QueuedCommand(RedisCommand Command, RequestArguments Arguments);
