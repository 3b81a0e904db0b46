using CamCube.Tool.Memcached;
using CamCube.Tool.Syntax;

// memcached's own grammar, which is not that of the other commands.
return args is ["memcached", ..]
    ? await MemcachedProgram.RunAsync(args[1..], Console.Out, Console.Error, CancellationToken.None)
    : await CamCubeCommandLine.RunAsync(args, Console.Out, Console.Error);
