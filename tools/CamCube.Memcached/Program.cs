using CamCube.Memcached;

return await MemcachedProgram.RunAsync(args, Console.Out, Console.Error, CancellationToken.None);
