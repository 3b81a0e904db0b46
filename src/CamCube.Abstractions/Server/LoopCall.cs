namespace CamCube;

/// <summary>A call that runs on a server's loop. Use a static lambda and put everything into the argument: then a call
/// allocates nothing.</summary>
/// <param name="service">The running implementation.</param>
/// <param name="argument">The caller's argument; buffers in it are lent until the call ends.</param>
public delegate ValueTask<TResult> LoopCall<in TService, in TArgument, TResult>(TService service, TArgument argument);
