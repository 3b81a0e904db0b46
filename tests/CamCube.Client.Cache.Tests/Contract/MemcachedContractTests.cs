using CamCube.Client.Cache.Tests.Kit;

namespace CamCube.Client.Cache.Tests.Contract;

public sealed class MemcachedContractTests(MemcachedBackend backend)
    : CacheContract(backend),
        IClassFixture<MemcachedBackend>;
