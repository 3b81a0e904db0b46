using CamCube.Client.Cache.Tests.Kit;

namespace CamCube.Client.Cache.Tests.Contract;

public sealed class FakeContractTests(FakeBackend backend) : CacheContract(backend), IClassFixture<FakeBackend>;
